"""Every file follows the rules of the project, and a planted breach of each rule is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from architecture import boundaries, docstrings, rules
from architecture.sources import Module, modules, texts

Rule = Callable[[Module], list[str]]

SOURCE = modules("src")
TESTS = modules("tests")
ALL = modules("src", "tests", "benchmarks", "examples")

RULES: list[tuple[Rule, list[Module]]] = [
    (rules.silent_modules, ALL),
    (rules.silent_names, SOURCE),
    (docstrings.class_names_as_openings, SOURCE),
    (docstrings.names_that_are_gone, SOURCE),
    (rules.silencers_without_reason, ALL),
    (rules.any_without_reason, SOURCE),
    (rules.vague_names, ALL),
    (rules.system_errors, SOURCE),
    (rules.leftovers, texts()),
    (rules.machine_paths, texts()),
    (rules.sleeps, TESTS),
    (rules.long_test_names, TESTS),
    (boundaries.environment_readers, [module for module in SOURCE if module.path != "src/wellread/config.py"]),
    (boundaries.network_users, [module for module in SOURCE if module.package not in {"net", "worker"}]),
    (boundaries.clock_readers, [module for module in SOURCE if module.path != "src/wellread/apps/system_clock.py"]),
]


@pytest.mark.parametrize(("rule", "where"), RULES, ids=[rule.__name__ for rule, _ in RULES])
def test_every_file_follows_the_rule(rule: Rule, where: list[Module]) -> None:
    assert where, "the rule was applied to no file"
    findings = [finding for module in where for finding in rule(module)]
    assert not findings, "\n".join(findings)


# ------------------------------------------------------------------------------- planted breaches

BREACHES: list[tuple[Rule, str]] = [
    (rules.silent_modules, "import json\n"),
    (rules.silent_modules, '"""Words."""\n'),
    (rules.silent_names, "def f(): ...\n"),
    (rules.silent_names, "class C:\n    '''Says what.'''\n    def f(self): ...\n"),
    (docstrings.class_names_as_openings, "def hear(): 'ModelAnswer a message.'\n"),
    (docstrings.names_that_are_gone, "def cut(limit): 'Return the first `most` characters.'\n"),
    (docstrings.names_that_are_gone, "def send(): 'Send a request; see `wire.Transport`.'\n"),
    (rules.silencers_without_reason, "import json  # noqa: F401\n"),
    (rules.silencers_without_reason, "import json  # noqa\n"),
    (rules.silencers_without_reason, "x: int = 'a'  # type: ignore[assignment]\n"),
    (rules.silencers_without_reason, "x: int = 'a'  # type: ignore[assignment]  # noqa: F401\n"),
    (rules.any_without_reason, "def f(x: Any) -> None: ...\n"),
    (rules.any_without_reason, "# a reason elsewhere\ndef f() -> dict[str, Any]: ...\n"),
    (rules.system_errors, "try: f()\nexcept OSError as error: raise E(f'cannot read {p}: {error}')\n"),
    (rules.system_errors, "try: f()\nexcept (E, FileNotFoundError) as error: g(str(error))\n"),
    (rules.leftovers, "x = 1  # TO" + "DO later\n"),
    (rules.leftovers, "raise NotImplementedError  # FIX" + "ME\n"),
    (rules.machine_paths, "DATA = '/wo" + "rk/shared'\n"),
    (rules.machine_paths, "see /tm" + "p/w/brief\n"),
    (rules.machine_paths, "pip install --index-u" + "rl https://registry.example/\n"),
    (rules.long_test_names, f"def test_{'a' * 61}(): ...\n"),
    (rules.sleeps, "import time\ntime.sleep(0.1)\n"),
    (rules.sleeps, "async def f():\n    await anyio.sleep(delay)\n"),
    (rules.sleeps, "from anyio import sleep\nasync def f():\n    await sleep(1)\n"),
    (boundaries.environment_readers, "import os\nos.environ['X']\n"),
    (boundaries.environment_readers, "import os as o\no.environ.get('X')\n"),
    (boundaries.environment_readers, "from os import environ\n"),
    (boundaries.environment_readers, "from os import getenv as look\nlook('X')\n"),
    (boundaries.environment_readers, "import os.path\nos.path.expandvars('$X')\n"),
    (boundaries.network_users, "import socket\n"),
    (boundaries.network_users, "def f():\n    from socket import create_connection\n"),
    (boundaries.network_users, "import urllib.request as r\n"),
    (boundaries.network_users, "from http import client\n"),
    (boundaries.network_users, "import importlib\nimportlib.import_module('socket')\n"),
    (boundaries.network_users, "__import__('ssl')\n"),
    (boundaries.network_users, "import anyio\nasync def f():\n    await anyio.connect_tcp('a', 1)\n"),
    (boundaries.network_users, "from anyio import run_process\n"),
    (boundaries.network_users, "import httpcore2\n"),
    (boundaries.clock_readers, "import time\nx = time.monotonic()\n"),
    (boundaries.clock_readers, "from time import perf_counter\n"),
    (boundaries.clock_readers, "import time\nuntil = time.thread_time() + 1\n"),
    (boundaries.clock_readers, "import sched\nuntil = sched.scheduler().timefunc() + 1\n"),
    (boundaries.clock_readers, "from datetime import datetime\nx = datetime.now()\n"),
    (boundaries.clock_readers, "import datetime as d\nx = d.date.today()\n"),
]

FOLLOWED: list[tuple[Rule, str]] = [
    (rules.silent_modules, '"""What this module is for."""\n'),
    (rules.silent_names, "def _f(): ...\nclass _C:\n    def f(self): ...\n"),
    (rules.silencers_without_reason, "import json  # noqa: F401 - imported for its side effect\n"),
    (rules.silencers_without_reason, "x: int = 'a'  # type: ignore[assignment]  # the stub is wrong\n"),
    (rules.silencers_without_reason, "x = '# noqa: F401'\n"),
    (rules.any_without_reason, "def f(x: Any) -> None: ...  # Any: as the library declares it\n"),
    (rules.leftovers, "mastodons = 'todo lists are text'\n"),
    (rules.machine_paths, "x = 'https://example.com/wo" + "rk/one' + 'the wo" + "rk/life balance'\n"),
    (rules.long_test_names, f"def test_{'a' * 60}(): ...\ndef helper_{'a' * 70}(): ...\n"),
    (rules.sleeps, "async def f():\n    await anyio.sleep(0)\n    await anyio.sleep_forever()\n"),
    (rules.sleeps, "async def f():\n    await anyio.sleep(9)  # a server that keeps its readers waiting\n"),
    (boundaries.environment_readers, "environ = {}\nenviron['X']\nsettings.os.environ\n"),
    (
        boundaries.network_users,
        "requests = [1]\nselect = requests[0]\nself.socket.close()\nimport anyio\nanyio.Event()\n",
    ),
    (boundaries.clock_readers, "clock.now()\nfrom datetime import datetime\ndatetime.fromtimestamp(1)\n"),
]


@pytest.mark.parametrize(("rule", "source"), BREACHES)
def test_planted_breach_is_refused(rule: Rule, source: str) -> None:
    findings = rule(Module("src/wellread/planted.py", source))
    assert findings
    assert all(finding.startswith("src/wellread/planted.py") for finding in findings)


@pytest.mark.parametrize(("rule", "source"), FOLLOWED)
def test_source_that_follows_the_rule(rule: Rule, source: str) -> None:
    assert rule(Module("src/wellread/planted.py", source)) == []


@pytest.mark.parametrize(
    "path", ["src/wellread/utils.py", "src/wellread/net/client_v2.py", "src/wellread/new_guard.py"]
)
def test_vague_module_name_is_refused(path: str) -> None:
    assert rules.vague_names(Module(path, ""))


def test_every_rule_has_a_planted_breach() -> None:
    tested = {rule for rule, _ in BREACHES} | {rules.vague_names}
    assert {rule for rule, _ in RULES} <= tested
