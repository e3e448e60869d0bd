"""71 tasks in a browser: wellread beside Playwright MCP, chrome-devtools-mcp and agent-browser.

    python benchmarks/browse_peers.py --peers FOLDER --executable PATH [--only NAME,NAME] [--tools NAME,NAME]

FOLDER is where `npm install @playwright/mcp chrome-devtools-mcp agent-browser` was run. The tasks, their pages and the
words of each policy are in `browse_tasks/`; a driver for each tool finds the element of these words in the tool's own
text, and sends the tool's own call. All tools use the browser at PATH, without a sandbox, and take turns task by task.

A task is done if the page's own handlers sent the right report to the server, no report of a wrong element came, and
the text of the tool shows the words that the policy reads at the end. A step that fails is tried once more, after a new
snapshot: by the control around the element, or the same words beside it. An element that is not in the text is waited
for once. A step is an action with the text of the page after it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from browse_tasks.drivers import AgentBrowser, DevtoolsMcp, McpServer, PlaywrightMcp, ToolError, Wellread
from browse_tasks.task_server import TaskServer
from browse_tasks.tasks import FILE_NAME, FILE_TEXT, TASKS, Step, Task

if TYPE_CHECKING:
    from collections.abc import Callable

AnyDriver = AgentBrowser | DevtoolsMcp | PlaywrightMcp | Wellread
MAX_SCROLLS = 12
REPORT_S = 2.0


@dataclass(slots=True)
class Outcome:
    """How one task ended with one tool."""

    task: Task
    why: str = ""
    calls: int = 0
    characters: int = 0
    step_ms: list[float] = field(default_factory=list)


def do_step(driver: AnyDriver, step: Step, file: Path, failed: str | None = None) -> None:
    """Do one step of a policy. `failed` is the reference that the first try could not operate."""
    if step.action in {"shown", "tab", "scroll", "drag"}:
        _move(driver, step)
        return
    needs_field = step.action in {"type", "select"}
    target = driver.find(step.name, after=step.after, field=needs_field, failed=failed) if step.name else None
    if step.name and target is None and step.name not in driver.text:
        driver.wait(step.name)
        target = driver.find(step.name, after=step.after, field=needs_field)
    text = str(file) if step.action == "upload" else step.text
    try:
        driver.act(step.action, step.name, target, text, {"submit": step.submit, "double": step.double})
    except ToolError as error:
        error.reference = target if step.action in {"click", "hover"} else None
        raise


def _try_again(driver: AnyDriver, step: Step, file: Path, error: ToolError) -> None:
    """Do a step that failed once more, after a new snapshot; an option is waited for."""
    if step.action == "select":
        with suppress(ToolError):
            driver.wait(step.text)
    driver.look()
    do_step(driver, step, file, error.reference)


def _move(driver: AnyDriver, step: Step) -> None:
    if step.action == "shown":
        if step.text not in driver.text:
            driver.wait(step.text)
        if step.text not in driver.text:
            raise ToolError(f"{step.text!r} is not shown")
    elif step.action == "tab":
        driver.tab(step.name)
    elif step.action == "scroll":
        for _ in range(MAX_SCROLLS):
            if f'"{step.text}"' in driver.text or driver.find(step.text):
                return
            driver.act("scroll", step.name, driver.find(step.name) if step.name else None, "", {})
    else:
        ends = driver.find(step.name), driver.find(step.text)
        if ends[0] is None or ends[1] is None:
            raise ToolError(f"{step.name} or {step.text} is not in the text")
        driver.drag(ends[0], ends[1], (step.name, step.text))


def work(driver: AnyDriver, task: Task, server: TaskServer, file: Path) -> Outcome:
    """Work a task with a tool."""
    outcome = Outcome(task)
    server.reports.pop(task.name, None)
    driver.calls = driver.characters = 0
    try:
        driver.open(server.url(task.name))
        for step in task.steps:
            began = time.perf_counter()
            try:
                do_step(driver, step, file)
            except ToolError as error:
                _try_again(driver, step, file, error)
            if step.action != "shown":
                outcome.step_ms.append(1000 * (time.perf_counter() - began))
    except Exception as error:  # noqa: BLE001 - the loss is listed with its reason
        outcome.why = " ".join(str(error).split())[:160] or type(error).__name__
    outcome.calls, outcome.characters = driver.calls, driver.characters
    until = time.monotonic() + REPORT_S
    while not server.reports.get(task.name) and time.monotonic() < until:
        time.sleep(0.02)
    reports = server.reports.get(task.name, [])
    if not outcome.why and (task.report not in reports or any(text.startswith("wrong") for text in reports)):
        outcome.why = f"reported {reports}"[:160]
    print(f"{driver.title}: {task.name}: {outcome.why or 'done'}", file=sys.stderr, flush=True)
    try:
        driver.close()
    except ToolError as error:
        print(f"{driver.title}: {error}", file=sys.stderr)
    return outcome


def drivers(options: argparse.Namespace, port: int, folder: Path) -> dict[str, Callable[[], AnyDriver]]:
    """Return what starts each tool."""
    commands = Path(options.peers).resolve() / "node_modules" / ".bin"
    browser = str(options.executable)
    allowed = f'["127.0.0.1:{port}", "localhost:{port}"]'
    ours = {
        "WELLREAD_NET_ALLOW_HOSTS": allowed,
        "WELLREAD_BROWSER_SANDBOX": "false",
        "WELLREAD_BROWSER_EXECUTABLE": browser,
        "WELLREAD_BROWSE_WORKSPACE": str(folder),
        "WELLREAD_CACHE_DIR": str(folder / "cache"),
        "WELLREAD_NET_ROBOTS": "false",
    }
    playwright = [str(commands / "playwright-mcp"), "--headless", "--isolated", "--no-sandbox", "--caps", "vision"]
    devtools = [str(commands / "chrome-devtools-mcp"), "--headless", "--isolated", "--chromeArg=--no-sandbox"]
    devtools += ["--no-page-id-routing", "--no-usage-statistics", "--executablePath", browser]
    devtools += ["--workspace", str(folder)]
    main = [sys.executable, "-c", "from wellread.apps.cli import main; main()", "mcp"]
    theirs = {"AGENT_BROWSER_EXECUTABLE_PATH": browser, "AGENT_BROWSER_ARGS": "--no-sandbox"}
    return {
        "wellread": lambda: Wellread(McpServer(main, ours, folder)),
        "playwright": lambda: PlaywrightMcp(McpServer([*playwright, "--executable-path", browser], {}, folder)),
        "devtools": lambda: DevtoolsMcp(McpServer(devtools, {}, folder)),
        "agent-browser": lambda: AgentBrowser(str(commands / "agent-browser"), theirs),
    }


def report(results: dict[str, list[Outcome]]) -> None:
    """Print the figures of each tool, and the losses."""
    print("| tool | tasks done | calls a task | characters a task | ms a step |\n|---|---|---|---|---|")
    for title, outcomes in results.items():
        done = sum(not outcome.why for outcome in outcomes)
        calls = statistics.median(outcome.calls for outcome in outcomes)
        characters = statistics.median(outcome.characters for outcome in outcomes)
        step_ms = statistics.median(ms for outcome in outcomes for ms in outcome.step_ms)
        print(f"| {title} | {done} of {len(outcomes)} | {calls:.0f} | {characters:,.0f} | {step_ms:.0f} |")
    print("\n| task | kind | build | lost by |\n|---|---|---|---|")
    for task in TASKS:
        losers = [t for t, outcomes in results.items() if any(o.task is task and o.why for o in outcomes)]
        if losers:
            print(f"| {task.name} | {task.kind} | {task.build} | {', '.join(losers)} |")


def main() -> None:
    """Let each tool do each task; the tools take turns, and a task begins with another tool than the one before."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--executable", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--tools", default="")
    options = parser.parse_args()
    server = TaskServer()
    chosen = [task for task in TASKS if not options.only or task.name in options.only.split(",")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / FILE_NAME).write_text(FILE_TEXT, encoding="utf-8")
        starts = drivers(options, server.port, folder)
        started = [start() for tool, start in starts.items() if not options.tools or tool in options.tools.split(",")]
        results: dict[str, list[Outcome]] = {driver.title: [] for driver in started}
        for number, task in enumerate(chosen):
            turn = number % len(started)
            for driver in (*started[turn:], *started[:turn]):
                results[driver.title].append(work(driver, task, server, folder / FILE_NAME))
        for driver in started:
            driver.end()
    report(results)
    server.shutdown()


if __name__ == "__main__":
    main()
