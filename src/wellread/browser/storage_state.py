"""Storage states in Playwright's form: the cookies and storage of a browser context. Checked, merged, described.

A state has `cookies` (RFC 6265bis attributes, and `partitionKey` for partitioned ones) and `origins`, each with
`localStorage` and `indexedDB`; a profile also has `httpCredentials`. Several sessions may use one profile at the same
time, so a state is merged entry by entry: a cookie, a name of local storage, a record of a database.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wellread.net.domains import is_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Json = Any  # Any: the shapes of the driver, as JSON
StorageState = dict[str, Json]
Key = tuple[str, ...]
"""The kind of an entry, and what names it: `("cookie", domain, path, name, partition)`."""

_COOKIE = {"name": str, "value": str, "domain": str, "path": str}
_COOKIE_OPTIONS = {"expires": int | float, "httpOnly": bool, "secure": bool, "sameSite": str}
_PARTITION = {"partitionKey": str, "_crHasCrossSiteAncestor": bool}
"""Of a partitioned cookie (CHIPS), as the driver has them."""
_SAME_SITE = frozenset({"Strict", "Lax", "None"})
_LOGIN = {"origin": str, "username": str, "password": str}


@dataclass(frozen=True, slots=True, kw_only=True)
class CookieSummary:
    """A cookie without its value."""

    name: str
    host: str
    path: str
    expires: str | None
    """ISO 8601, UTC. None ends with the session in a browser; a profile keeps it."""
    secure: bool
    http_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginSummary:
    """The names of the entries that a site stores."""

    origin: str
    local_storage: tuple[str, ...]
    databases: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateSummary:
    """The entries of a state, without any value."""

    cookies: tuple[CookieSummary, ...]
    origins: tuple[OriginSummary, ...]
    http_credentials: tuple[str, ...]
    """Origins for which a user name and a password are kept."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """Every host that something is kept for, once each."""
        hosts = [cookie.host for cookie in self.cookies]
        hosts += [urlsplit(origin).hostname or origin for origin in self._origins()]
        return tuple(dict.fromkeys(hosts))

    def _origins(self) -> tuple[str, ...]:
        return (*(site.origin for site in self.origins), *self.http_credentials)


# -------------------------------------------------------------------------------------------------- the shape


def validated(state: object) -> StorageState:
    """Return `state` with the parts that are known, as the driver takes them.

    Sites that are no web sites (extensions, files) are left out: the driver could not open them.

    Raises:
        ValueError: it is no storage state; the message has no value of it.
    """
    if not isinstance(state, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - one error for every wrong shape
    cookies = [_cookie(cookie) for cookie in _rows(state, "cookies")]
    origins = [_origin(origin) for origin in _rows(state, "origins")]
    logins = [_texts(login, _LOGIN, "a login") for login in _rows(state, "httpCredentials")]
    return _assembled(cookies, [row for row in origins if is_web(row["origin"])], logins)


def is_web(origin: str) -> bool:
    """Return whether `origin` is one of http or https with a host, and nothing more."""
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return False
    is_plain = parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc and port != 0
    return is_plain and origin == f"{parts.scheme}://{parts.netloc}"


def _assembled(cookies: list[Json], origins: list[Json], logins: list[Json]) -> StorageState:
    state: StorageState = {"cookies": cookies, "origins": origins}
    if logins:
        state["httpCredentials"] = logins
    return state


def _rows(holder: Mapping[str, Json], name: str) -> list[dict[str, Json]]:
    rows = holder.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{name} is not a list of objects")
    return rows


def _texts(row: Mapping[str, Json], fields: Mapping[str, type], row_name: str) -> dict[str, Json]:
    if not all(isinstance(row.get(name), kind) for name, kind in fields.items()):
        raise ValueError(f"{row_name} lacks one of {', '.join(fields)}")
    return {name: row[name] for name in fields}


def _cookie(row: Mapping[str, Json]) -> dict[str, Json]:
    cookie = _texts(row, _COOKIE, "a cookie")
    for name, kind in {**_COOKIE_OPTIONS, **_PARTITION}.items():
        if row.get(name) is not None and not isinstance(row[name], kind):
            raise ValueError(f"{name} of a cookie has the wrong type")
    same_site = row.get("sameSite", "Lax")
    if same_site not in _SAME_SITE:
        raise ValueError("sameSite of a cookie is none of Strict, Lax, None")
    cookie |= {
        "expires": row.get("expires", -1),
        "httpOnly": bool(row.get("httpOnly")),
        "secure": bool(row.get("secure")),
        "sameSite": same_site,
    }
    return cookie | {name: row[name] for name in _PARTITION if row.get(name)}


def _origin(row: Mapping[str, Json]) -> dict[str, Json]:
    if not isinstance(row.get("origin"), str):
        raise ValueError("an origin has no address")  # noqa: TRY004 - one error for every wrong shape
    stored = [_texts(entry, {"name": str, "value": str}, "local storage") for entry in _rows(row, "localStorage")]
    databases = _rows(row, "indexedDB")
    for database in databases:
        stores = _rows(database, "stores")
        if not all(isinstance(part.get("name"), str) for part in (database, *stores)):
            raise ValueError("a database or a store has no name")
        for store in stores:
            _rows(store, "records")
            _rows(store, "indexes")
    site: dict[str, Json] = {"origin": row["origin"], "localStorage": stored}
    if databases:
        site["indexedDB"] = databases
    return site


# ------------------------------------------------------------------------------------------------------ merging


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeVersions:
    """The four states that a merge compares."""

    loaded: StorageState
    """What was read from the profile when the session began."""
    begun: StorageState
    """The same as the browser reports it: it may shorten the life of a cookie."""
    mine: StorageState
    """What the session ends with."""
    stored: StorageState
    """What the profile holds now; other sessions may have written it."""


def merge_states(versions: MergeVersions, *, now_s: float) -> StorageState:
    """Return the profile with the changes of the session, and with no other change.

    What the session deleted is deleted, unless another session has changed it since. Of two changes of one entry, the
    session that ends later is kept. Cookies whose time is over go (`now_s`: seconds since 1970).
    """
    states = (versions.loaded, versions.begun, versions.mine, versions.stored)
    units = _units(states)
    loaded, begun, mine, stored = (dict(_entries(state, units)) for state in states)
    result: dict[Key, Json] = {}
    for key in [*stored, *(key for key in mine if key not in stored)]:
        is_changed = mine.get(key) != begun.get(key)
        if is_changed and key in mine:
            result[key] = mine[key]
        elif key in stored and (not is_changed or stored[key] != loaded.get(key)):
            result[key] = stored[key]
    for key in [key for key in result if key[0] == "record"]:
        for parent in (("layout", *key[1:4]), ("version", *key[1:3])):  # deleted, while another session added to it
            result.setdefault(parent, stored.get(parent, mine.get(parent)))
    return _state({key: entry for key, entry in result.items() if not _is_over(key, entry, now_s)})


def seen_by(versions: MergeVersions, written: StorageState) -> StorageState:
    """Return the profile as the session has seen it, after its changes were `written`: without changes of others."""
    units = _units((versions.loaded, versions.mine, written))
    loaded, current, stored = (dict(_entries(state, units)) for state in (versions.loaded, versions.mine, written))
    return _state(loaded | {key: entry for key, entry in stored.items() if entry == current.get(key)})


def with_entries(stored: StorageState, added: StorageState) -> StorageState:
    """Return `stored` with every entry of `added`, which goes before it."""
    empty: StorageState = {}
    return merge_states(MergeVersions(loaded=empty, begun=empty, mine=added, stored=stored), now_s=0.0)


def with_unknown(state: StorageState, before: StorageState, *, databases_only: bool) -> StorageState:
    """Return `state` with its uncollected parts taken from `before`, so that they count as unchanged."""
    if not databases_only:
        return state | {"origins": before.get("origins", [])}
    rows = {row["origin"]: row for row in state.get("origins", [])}
    for row in before.get("origins", []):
        if "indexedDB" in row:
            collected = rows.get(row["origin"], {"origin": row["origin"], "localStorage": []})
            rows[row["origin"]] = collected | {"indexedDB": row["indexedDB"]}
    return state | {"origins": list(rows.values())}


def limited_to_hosts(state: StorageState, hosts: Iterable[str]) -> StorageState:
    """Return the part of `state` that the sites at `hosts` get: with their subdomains, and cookies of wider domains."""
    names = [host.lower().strip(".") for host in hosts]

    def is_at(origin: str) -> bool:
        return is_within(urlsplit(origin).hostname or "", names)

    def is_sent(domain: str) -> bool:
        host = domain.lower().lstrip(".")
        is_wider = domain.startswith(".") and any(name.endswith(f".{host}") for name in names)
        return is_wider or is_at(f"https://{host}")

    return _assembled(
        [cookie for cookie in state.get("cookies", []) if is_sent(cookie["domain"])],
        [row for row in state.get("origins", []) if is_at(row["origin"])],
        [login for login in state.get("httpCredentials", []) if is_at(login["origin"])],
    )


def _is_over(key: Key, entry: Json, now_s: float) -> bool:
    return key[0] == "cookie" and 0 <= entry["expires"] <= now_s


def _entries(state: StorageState, units: frozenset[Key]) -> Iterator[tuple[Key, Json]]:
    """Yield the entries of a state; databases and stores in `units` are one entry each."""
    for cookie in state.get("cookies", []):
        yield ("cookie", cookie["domain"], cookie["path"], cookie["name"], cookie.get("partitionKey", "")), cookie
    for row in state.get("origins", []):
        for pair in row.get("localStorage", []):
            yield ("local", row["origin"], pair["name"]), pair["value"]
        for database in row.get("indexedDB", []):
            yield from _database_entries(row["origin"], database, units)
    for login in state.get("httpCredentials", []):
        yield ("login", login["origin"]), login


def _database_entries(origin: str, database: dict[str, Json], units: frozenset[Key]) -> Iterator[tuple[Key, Json]]:
    database_key = (origin, database["name"])
    if database_key in units:
        yield ("database", *database_key), database
        return
    yield ("version", *database_key), database.get("version")
    for store in database.get("stores", []):
        store_key = (*database_key, store["name"])
        if store_key in units:
            yield ("store", *store_key), store
            continue
        yield ("layout", *store_key), {name: part for name, part in store.items() if name != "records"}
        for record in store.get("records", []):
            yield ("record", *store_key, record_key(record, store) or ""), record


def _units(states: Iterable[StorageState]) -> frozenset[Key]:
    """Return the databases and stores that cannot be merged record by record.

    These are databases with different versions, so with different stores perhaps; and stores with records whose keys
    cannot be told apart, or with a unique index, which two records from two sessions could break.
    """
    units: set[Key] = set()
    versions: dict[Key, object] = {}
    for state in states:
        for row in state.get("origins", []):
            for database in row.get("indexedDB", []):
                database_key = (row["origin"], database["name"])
                if versions.setdefault(database_key, database.get("version")) != database.get("version"):
                    units.add(database_key)
                stores = database.get("stores", [])
                units.update((*database_key, store["name"]) for store in stores if not _is_mergeable(store))
    return frozenset(units)


def _is_mergeable(store: dict[str, Json]) -> bool:
    if any(index.get("unique") for index in store.get("indexes", [])):
        return False
    counts = Counter(record_key(record, store) for record in store.get("records", []))
    return None not in counts and all(count == 1 for count in counts.values())


def record_key(record: Mapping[str, Json], store: Mapping[str, Json]) -> str | None:
    """Return the key of a record as text, None where it cannot be told.

    A store with a key path has its keys in the values (Indexed Database API 3.0, section 2.2); the driver encodes
    values that are more than JSON as `{"o": [{"k": name, "v": value}]}`.
    """
    for name in ("key", "keyEncoded"):
        if name in record:
            return json.dumps(record[name], sort_keys=True)
    paths = store.get("keyPathArray") or [store.get("keyPath")]
    holder = record.get("value", record.get("valueEncoded"))
    parts = [_at(holder, path, encoded="value" not in record) for path in paths]
    return None if None in parts else json.dumps(parts, sort_keys=True)


def _at(holder: Json, path: object, *, encoded: bool) -> Json:
    """Return the part of a value at a key path like `user.id`, None where there is none or it cannot be decoded."""
    if not isinstance(path, str):
        return None
    for name in path.split("."):
        if not isinstance(holder, dict):
            return None
        fields = _decoded(holder) if encoded else holder
        holder = fields.get(name)
    if isinstance(holder, dict) and "ref" in holder:
        return None
    return holder


def _decoded(value: dict[str, Json]) -> dict[str, Json]:
    pairs = value.get("o")
    if not isinstance(pairs, list):
        return {}
    return {pair["k"]: pair["v"] for pair in pairs if isinstance(pair, dict) and {"k", "v"} <= pair.keys()}


def _state(entries: Mapping[Key, Json]) -> StorageState:
    """Return the state that these entries make."""
    cookies = [entry for key, entry in entries.items() if key[0] == "cookie"]
    logins = [entry for key, entry in entries.items() if key[0] == "login"]
    origins: dict[str, dict[str, Json]] = {}
    for key, entry in entries.items():
        if key[0] in {"cookie", "login"}:
            continue
        row = origins.setdefault(key[1], {"origin": key[1], "localStorage": []})
        if key[0] == "local":
            row["localStorage"].append({"name": key[2], "value": entry})
        else:
            row.setdefault("indexedDB", {})[key] = entry
    for row in origins.values():
        if "indexedDB" in row:
            row["indexedDB"] = _databases(row["indexedDB"])
    return _assembled(cookies, list(origins.values()), logins)


def _databases(entries: Mapping[Key, Json]) -> list[dict[str, Json]]:
    """Return the databases that these entries make; a record whose store is gone goes with it."""
    databases: dict[str, dict[str, Json]] = {}
    stores: dict[Key, dict[str, Json]] = {}
    for key, entry in entries.items():
        kind, name = key[0], key[2]
        if kind == "database":
            databases[name] = entry
        elif kind == "version":
            databases[name] = {"name": name, "version": entry, "stores": []}
        elif kind == "store":
            stores[key[2:4]] = entry
        elif kind == "layout":
            stores[key[2:4]] = {**entry, "records": []}
    for (name, _), store in stores.items():
        if name in databases:
            databases[name]["stores"].append(store)
    for key, entry in entries.items():
        if key[0] == "record" and key[2:4] in stores:
            stores[key[2:4]]["records"].append(entry)
    return list(databases.values())


# -------------------------------------------------------------------------------------------------- description


def summary(state: StorageState) -> StateSummary:
    """Return the entries of `state` by names, hosts and times: no value, no password, no user name."""
    cookies = sorted(state.get("cookies", []), key=lambda row: (row["domain"].lstrip("."), row["name"]))
    return StateSummary(
        cookies=tuple(
            CookieSummary(
                name=cookie["name"],
                host=cookie["domain"].lstrip("."),
                path=cookie["path"],
                expires=_iso(cookie["expires"]),
                secure=cookie["secure"],
                http_only=cookie["httpOnly"],
            )
            for cookie in cookies
        ),
        origins=tuple(
            OriginSummary(
                origin=row["origin"],
                local_storage=tuple(pair["name"] for pair in row.get("localStorage", [])),
                databases=tuple(database["name"] for database in row.get("indexedDB", [])),
            )
            for row in state.get("origins", [])
        ),
        http_credentials=tuple(login["origin"] for login in state.get("httpCredentials", [])),
    )


def _iso(expires: float) -> str | None:
    if expires < 0:
        return None
    try:
        return datetime.fromtimestamp(expires, tz=UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except (OverflowError, ValueError, OSError):  # beyond the year 9999
        return "9999-12-31T23:59:59Z"
