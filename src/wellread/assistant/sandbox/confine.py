"""Run as a program: sets limits, sets up Landlock and seccomp if asked to, and executes the command.

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
    """Read the options, apply them, and execute the command."""
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
    own_processes = sum(1 for process in Path("/proc").glob("[0-9]*") if _owner(process) == os.getuid())
    limits = {
        resource.RLIMIT_CPU: orders["seconds"],
        resource.RLIMIT_AS: orders["memory"],
        resource.RLIMIT_FSIZE: orders["file_bytes"],
        resource.RLIMIT_NPROC: own_processes + orders["processes"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 256,
    }
    for kind, wanted_limit in limits.items():
        hard = resource.getrlimit(kind)[1]
        limit = wanted_limit if hard == resource.RLIM_INFINITY else min(wanted_limit, hard)
        resource.setrlimit(kind, (limit, limit))


def _owner(process: Path) -> int:
    try:
        return process.stat().st_uid
    except OSError:
        return -1


def _drop_capabilities() -> None:
    """Drop the bounding set, so that root gains nothing by exec; for others this fails, and they have nothing."""
    for capability in range(_CAPABILITIES):
        _libc.prctl(_DROP_BOUND, capability, 0, 0, 0)


def _wall(folder: str, system: list[str]) -> int:
    abi = _check(_libc.syscall(_CREATE, None, 0, 1))
    everything = (1 << _FS_BITS.get(abi, _FS_BITS_NOW)) - 1
    # handled_access_fs; handled_access_net (both TCP rights, from ABI 4); scoped (sockets and signals, from ABI 6)
    field_count = 1 + (abi >= 4) + (abi >= _SCOPED_ABI)
    ruleset = struct.pack("QQQ", everything, 3, 3)[: 8 * field_count]
    rules = _check(_libc.syscall(_CREATE, ruleset, len(ruleset), 0))
    allowed = [(folder, everything), *((path, _READ) for path in system), *((path, _DEVICE) for path in _DEVICES)]
    for place, rights in allowed:
        _allow(rules, place, rights & everything)
    _check(_libc.syscall(_RESTRICT, rules, 0))
    os.close(rules)
    return abi


def _allow(rules: int, place: str, rights: int) -> None:
    try:
        descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not Path(place).is_dir():
        rights &= _FILE_ONLY
    _check(_libc.syscall(_ADD, rules, 1, struct.pack("=Qi", rights, descriptor), 0))
    os.close(descriptor)


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
