// What the task pages share: a report to the server, and stand-ins for the two ways in which most web apps are built.
const task = location.pathname.split('/')[2]
const report = (text) => fetch('/report/' + task, { method: 'POST', body: text, keepalive: true })
const el = (html) => {
  const template = document.createElement('template')
  template.innerHTML = html.trim()
  return template.content.firstElementChild
}
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

// A stand-in for React: components return trees, a render patches the page, the root listens to all events, and fields
// are controlled: their text is the state's, and an event is ignored unless the text differs from the last render.
const h = (tag, props, ...children) => ({ tag, props: props || {}, children: children.flat(9).filter((c) => c != null && c !== false) })

function mount(root, component) {
  let queued = false, printed = ''
  const render = () => {
    queued = false
    const tree = [component()].flat(9)
    printed = JSON.stringify(tree)
    patchChildren(root, tree)
  }
  // A handler that changes no state renders nothing, as in React, so a field's text is not set back.
  const renderChanged = () => {
    if (JSON.stringify([component()].flat(9)) === printed) queued = false
    else render()
  }
  const update = () => {
    if (!queued) queueMicrotask(renderChanged)
    queued = true
  }
  const nativeValue = (prototype) => Object.getOwnPropertyDescriptor(prototype, 'value')
  const track = (dom) => {
    const native = nativeValue(Object.getPrototypeOf(dom))
    dom.tracked = native.get.call(dom)
    Object.defineProperty(dom, 'value', {
      configurable: true,
      get() { return native.get.call(this) },
      set(value) {
        this.tracked = String(value)
        native.set.call(this, value)
      },
    })
    dom.changed = () => {
      const now = native.get.call(dom)
      if (now === dom.tracked) return false
      dom.tracked = now
      return true
    }
  }
  const create = (node) => {
    if (typeof node !== 'object') return document.createTextNode(node)
    const dom = document.createElement(node.tag)
    if (['input', 'textarea'].includes(node.tag)) {
      if (node.props.type) dom.type = node.props.type
      track(dom)
    }
    dom.node = node
    setProps(dom, node.props)
    node.children.forEach((child) => dom.append(create(child)))
    if (node.props.autoFocus) queueMicrotask(() => dom.focus())
    return dom
  }
  const setProps = (dom, props) => {
    dom.__reactProps$kit = props // as React notes them on each element
    for (const name of [...dom.getAttributeNames()]) if (!(name in props) && name !== 'class') dom.removeAttribute(name)
    for (const [name, value] of Object.entries(props)) {
      if (name.startsWith('on') || ['key', 'autoFocus'].includes(name)) continue
      if (name === 'value') {
        if (dom.value !== String(value)) dom.value = value
      } else if (name === 'checked') dom.checked = value
      else if (name === 'className') dom.className = value
      else if (value === false || value == null) dom.removeAttribute(name)
      else if (dom.getAttribute(name) !== String(value)) dom.setAttribute(name, value === true ? '' : value)
    }
  }
  const same = (dom, node) => {
    if (typeof node !== 'object') return dom.nodeType === 3
    return dom.node && dom.node.tag === node.tag && dom.node.props.key === node.props.key
  }
  const patchChildren = (parent, nodes) => {
    const keyed = new Map([...parent.childNodes].filter((c) => c.node?.props.key != null).map((c) => [c.node.props.key, c]))
    nodes.forEach((node, index) => {
      let dom = parent.childNodes[index]
      const moved = typeof node === 'object' && node.props.key != null && keyed.get(node.props.key)
      if (moved && moved !== dom) parent.insertBefore(moved, dom ?? null)
      dom = moved || dom
      if (!dom) parent.append(create(node))
      else if (!same(dom, node)) parent.replaceChild(create(node), dom)
      else if (typeof node !== 'object') { if (dom.data !== String(node)) dom.data = node } else {
        dom.node = node
        setProps(dom, node.props)
        patchChildren(dom, node.children)
      }
    })
    while (parent.childNodes.length > nodes.length) parent.lastChild.remove()
  }
  const names = {
    click: 'onClick', dblclick: 'onDoubleClick', input: 'onChange', change: 'onChange', keydown: 'onKeyDown', submit: 'onSubmit',
    mousedown: 'onMouseDown', mouseover: 'onMouseOver', mouseout: 'onMouseOut', focusin: 'onFocus', focusout: 'onBlur', paste: 'onPaste',
    dragstart: 'onDragStart', dragover: 'onDragOver', drop: 'onDrop', pointerdown: 'onPointerDown', scroll: 'onScroll',
  }
  for (const [type, name] of Object.entries(names)) {
    root.addEventListener(type, (event) => {
      const field = event.target
      if (name === 'onChange') {
        const text = field.changed && !['checkbox', 'radio', 'file'].includes(field.type)
        if (text ? !field.changed() : type === 'input') return
      }
      for (let dom = field; dom && dom !== root; dom = dom.parentNode) {
        const handler = dom.node?.props[name]
        if (handler) {
          handler(event)
          update()
          if (event.cancelBubble) break
        }
      }
      if (name === 'onChange') queueMicrotask(render)
    }, { capture: type === 'scroll' || type === 'focusin' })
  }
  render()
  return update
}

// Stand-ins for parts of a component library: an overlay in a portal, with an animation and a focus that is kept in it.
function portal(html, { modal = false, delay = 150 } = {}) {
  const host = el(`<div class="portal ${modal ? 'modal' : ''}">${html}</div>`)
  host.style.cssText = `position:fixed;z-index:1300;opacity:0;transition:opacity ${delay}ms,transform ${delay}ms;transform:translateY(-8px);background:#fff;border:1px solid #999`
  host.style.cssText += modal ? ';left:25%;top:20%;padding:24px' : ''
  let backdrop
  if (modal) {
    backdrop = el('<div style="position:fixed;inset:0;background:#0006;z-index:1200"></div>')
    document.body.append(backdrop)
  }
  document.body.append(host)
  requestAnimationFrame(() => {
    host.style.opacity = 1
    host.style.transform = 'none'
  })
  host.close = () => {
    host.remove()
    backdrop?.remove()
  }
  return host
}
const place = (host, anchor) => {
  const box = anchor.getBoundingClientRect()
  host.style.left = `${box.left}px`
  host.style.top = `${box.bottom + 2}px`
}
