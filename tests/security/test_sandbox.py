"""A command in the sandbox reaches its folder and nothing else, and uses no more than it may, behind either wall."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from sites import skip_or_fail
from wellread.assistant.sandbox.sandbox import Sandbox, SandboxLimits, find_sandbox
from wellread.assistant.tools.shell_tool import shell_tool

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the walls are Linux's")
HOME = Path.home()
LIMITS = SandboxLimits(seconds=20, memory=400_000_000, file_bytes=1_000_000, output_bytes=20_000)


@pytest.fixture(params=["bubblewrap", "landlock"])
async def walled(request: pytest.FixtureRequest, tmp_path: Path) -> Sandbox:
    folder = tmp_path / "desk"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("rosebud")
    found = await find_sandbox(folder, LIMITS, kinds=(request.param,))
    if found is None:
        skip_or_fail(f"{request.param} does not hold on this machine")
    return found


async def test_a_command_works_in_its_folder(walled: Sandbox, tmp_path: Path) -> None:
    ran = await walled.run("echo tide > a.txt && cat a.txt && ls && echo wrong >&2; exit 3")
    assert (ran.status, ran.output) == (3, "tide\na.txt\nwrong\n")
    assert (tmp_path / "desk" / "a.txt").read_text() == "tide\n"


@pytest.mark.parametrize(
    "command",
    [
        "cat {outside}/secret.txt",
        "cat ../secret.txt",
        "ln -s {outside}/secret.txt link && cat link",
        "cat /etc/passwd",
        "cat /etc/hostname",
        "cat /proc/{pid}/environ",
        "ls {home}",
        "echo x > {outside}/new.txt",
        "echo x > /usr/new.txt",
        "touch /new.txt",
        "mkdir /etc/new",
        "rm -rf {outside}/secret.txt && ls {outside}/secret.txt",
    ],
)
async def test_nothing_outside_is_read_or_written(walled: Sandbox, command: str, tmp_path: Path) -> None:
    given = command.format(outside=tmp_path, pid=os.getpid(), home=HOME)
    ran = await walled.run(given)
    assert ran.status != 0, ran.output
    assert "rosebud" not in ran.output
    assert (tmp_path / "secret.txt").read_text() == "rosebud"
    assert not (tmp_path / "new.txt").exists()


@pytest.mark.parametrize(
    "code",
    [
        "socket.create_connection(('127.0.0.1', {tcp}), 2).send(b'x')",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp}))",
        "socket.socket(socket.AF_INET6).connect(('::ffff:127.0.0.1', {tcp}))",
        "socket.socket(socket.AF_UNIX).connect('{unix}')",
        "socket.socket(socket.AF_UNIX).connect(b'\\0wellread-test-{pid}')",
    ],
)
async def test_there_is_no_network(walled: Sandbox, code: str, tmp_path: Path) -> None:
    tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    unix, named = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    with tcp, udp, unix, named:
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(tmp_path / "s"))
        named.bind(b"\0wellread-test-%d" % os.getpid())  # all tests of this machine share these names
        for each in (tcp, udp, unix, named):
            each.setblocking(False)
        unix.listen()
        named.listen()
        ports = {"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1]}
        given = code.format(**ports, unix=tmp_path / "s", pid=os.getpid())
        (tmp_path / "desk" / "try.py").write_text(f"import socket\n{given}\n")
        ran = await walled.run("python3 try.py")
        if "not found" in ran.output:
            pytest.skip("there is no python3 among the system's programs")
        for each in (tcp, unix, named):
            with pytest.raises(BlockingIOError):
                each.accept()
        with pytest.raises(BlockingIOError):
            udp.recv(1)


async def test_secrets_of_the_environment_are_not_there(walled: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "rosebud")
    told = (await walled.run("env; cat /proc/self/environ")).output
    assert "PATH=" in told
    assert "rosebud" not in told


async def test_other_processes_are_out_of_reach(walled: Sandbox) -> None:
    assert (await walled.run(f"kill -0 {os.getpid()}")).status != 0


async def test_time_output_files_and_memory_have_an_end(tmp_path: Path, walled: Sandbox) -> None:
    quick = Sandbox(walled.name, tmp_path / "desk", SandboxLimits(seconds=1, output_bytes=1_000))
    assert (await quick.run("while :; do :; done")).status is None
    shouted = await walled.run("yes")
    assert shouted.cut
    assert len(shouted.output) == LIMITS.output_bytes
    await walled.run("dd if=/dev/zero of=big bs=100000 count=100")
    assert (tmp_path / "desk" / "big").stat().st_size <= LIMITS.file_bytes
    assert (await walled.run("dd if=/dev/zero of=/dev/null bs=900000000 count=1")).status != 0


async def test_what_was_left_in_the_background_is_ended(walled: Sandbox, tmp_path: Path) -> None:
    beat = "(while :; do echo x >> beat; sleep 0.05; done) > /dev/null 2>&1 &"
    await walled.run(f"{beat} sleep 0.3")
    size = (tmp_path / "desk" / "beat").stat().st_size
    await walled.run("sleep 0.3")
    assert (tmp_path / "desk" / "beat").stat().st_size == size


async def test_without_a_wall_that_holds_there_is_no_cell(tmp_path: Path) -> None:
    assert await find_sandbox(tmp_path, LIMITS, kinds=()) is None


async def test_the_tool_says_how_a_command_ended_and_leaves_a_receipt(walled: Sandbox) -> None:
    tool = shell_tool(walled)
    told = await tool.run({"command": "echo tide; exit 4"})
    assert told.text == "exit status 4\ntide\n"
    assert told.tainted
    assert told.receipts == ("command run: echo tide; exit 4 (exit status 4)",)
    assert tool.preview is not None
    assert ("command", "echo tide") in tool.preview({"command": "echo tide"}).parts
