"""Run as a program: sets limits, builds the Landlock and seccomp walls if asked to, and becomes the command.

It imports nothing of the package, so that it starts quickly and what it allows itself is all here.
Sources: landlock(7), seccomp(2), capabilities(7); include/uapi/linux/{landlock,seccomp,bpf_common}.h.
"""

import ctypes
import json
import os
import platform
import resource
import struct
import sys
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read file, read directory
_DEVICE = 1 << 1 | 1 << 2  # write file, read file
_FILE_ONLY = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
_FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
_FS_BITS_NOW = 16
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_SCOPED_ABI = 6

_NO_NEW_PRIVS, _SET_SECCOMP, _DROP_BOUND = 38, 22, 24
_CAPABILITIES = 64
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | 1, 0x80000000  # 1 is EPERM
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
# socket, setsid, setpgid (what is killed must find all), io_uring_setup, unshare, setns, keyctl, add_key
_CALLS = {
    "x86_64": (0xC000003E, (41, 112, 109, 425, 272, 308, 250, 248), (62, 200, 234, 424, 434)),
    "aarch64": (0xC00000B7, (198, 157, 154, 425, 97, 268, 219, 217), (129, 130, 131, 424, 434)),
}
"""Machine -> its audit number, the calls refused, and those that signal others."""

_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Read the orders, obey them, and become the command."""
    orders = json.loads(sys.argv[1])
    os.umask(0o077)
    _limit(orders)
    if orders["landlock"]:
        folder, *system = orders["landlock"]
        _drop_capabilities()
        _check(_libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
        abi = _wall(folder, system)
        _refuse_calls(signals=abi < _SCOPED_ABI)
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - to become the command is the purpose


def _limit(orders: dict[str, int]) -> None:
    mine = sum(1 for it in Path("/proc").glob("[0-9]*") if _owner(it) == os.getuid())
    wanted = {
        resource.RLIMIT_CPU: orders["seconds"],
        resource.RLIMIT_AS: orders["memory"],
        resource.RLIMIT_FSIZE: orders["file_bytes"],
        resource.RLIMIT_NPROC: mine + orders["processes"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 256,
    }
    for which, most in wanted.items():
        hard = resource.getrlimit(which)[1]
        top = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (top, top))


def _owner(process: Path) -> int:
    try:
        return process.stat().st_uid
    except OSError:
        return -1


def _drop_capabilities() -> None:
    """Without a bounding set, root gains nothing by exec; for others this fails, and they have nothing."""
    for each in range(_CAPABILITIES):
        _libc.prctl(_DROP_BOUND, each, 0, 0, 0)


def _wall(folder: str, system: list[str]) -> int:
    abi = _check(_libc.syscall(_CREATE, None, 0, 1))
    everything = (1 << _FS_BITS.get(abi, _FS_BITS_NOW)) - 1
    # handled_access_fs, handled_access_net (both TCP rights, from 4), scoped (sockets and signals, from 6)
    fields = struct.pack("QQQ", everything, 3, 3)[: 8 if abi < 4 else 16 if abi < _SCOPED_ABI else 24]
    rules = _check(_libc.syscall(_CREATE, fields, len(fields), 0))
    for place, rights in [(folder, everything), *((it, _READ) for it in system), *((it, _DEVICE) for it in _DEVICES)]:
        _allow(rules, place, rights & everything)
    _check(_libc.syscall(_RESTRICT, rules, 0))
    os.close(rules)
    return abi


def _allow(rules: int, place: str, rights: int) -> None:
    try:
        at = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not Path(place).is_dir():
        rights &= _FILE_ONLY
    _check(_libc.syscall(_ADD, rules, 1, struct.pack("=Qi", rights, at), 0))
    os.close(at)


def _refuse_calls(*, signals: bool) -> None:
    machine, calls, signalling = _CALLS[platform.machine()]
    refused = calls + signalling if signals else calls
    program = [
        (_LOAD, 0, 0, 4),  # the machine that the call is for
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_AT_LEAST, 0, 1, 0x40000000),  # the x32 numbers
        (_RETURN, 0, 0, _REFUSE),
    ]
    for number in refused:
        program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    program.append((_RETURN, 0, 0, _ALLOW))
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    filters = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    _check(_libc.prctl(_SET_SECCOMP, 2, filters, 0, 0))


def _check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


if __name__ == "__main__":
    main()
