/* What is offered before anything was asked; a server that replays a recording puts pages of that in its place. */

export const examples = {
  tasks: [
    { tab: "read", mode: "read", text: "https://en.wikipedia.org/wiki/Tide_pool" },
    { tab: "answer", mode: "answer", text: "How do tide pools form?" },
    { tab: "crawl", mode: "map", text: "https://www.rfc-editor.org/" },
  ],
  search: ["tide pools", "how do lighthouses work"],
  read: ["https://en.wikipedia.org/wiki/Tide_pool", "https://www.rfc-editor.org/rfc/rfc9309.html"],
  answer: ["How do tide pools form?", "Why do lighthouses flash?"],
  research: ["How do tide pools form, and which animals live in them?"],
  crawl: ["https://www.rfc-editor.org/"],
  facts: ["https://en.wikipedia.org/wiki/Lighthouse"],
  browse: ["https://en.wikipedia.org/wiki/Lighthouse"],
  index: [],
  watch: [],
};
