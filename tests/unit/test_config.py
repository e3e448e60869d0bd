"""Settings: where a value comes from, what a wrong one is told, and what is never shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.apps.search_services import provider_access
from wellread.apps.serialize import as_json
from wellread.config import ExtractSettings, Origin, Settings, explain, has_mark, load, setting_names, setting_type
from wellread.errors import ConfigError
from wellread.values import Mark, Secret


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No `wellread.toml` of the person who runs the tests is read."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def toml(text: str, path: str = "given.toml") -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def origin(name: str, origins: tuple[Origin, ...]) -> Origin:
    return next(origin for origin in origins if origin.name == name)


def refusal(**given: object) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load(**{"environ": {}, **given})  # type: ignore[arg-type]  # each test gives its own
    return caught.value


# ---------------------------------------------------------------------------- where a value comes from


def test_google_as_alias_of_google_cse() -> None:
    file = toml(
        "[search]\nproviders = ['google', 'auto']\nkeys = {google = 'k', google_id = 'cx'}\n"
        "urls = {google = 'https://g.example'}\n"
    )
    search = load(file=file, environ={}).search
    assert search.providers == ("google_cse", "auto")
    found = provider_access(search, "google_cse")
    assert (found.key, found.extra, found.base_url) == ("k", "cx", "https://g.example")


def test_name_beside_its_alias_is_preferred() -> None:
    environ = {"WELLREAD_SEARCH_KEYS": "google=by-alias,google_cse=by-name"}
    assert provider_access(load(environ=environ).search, "google_cse").key == "by-name"


def test_nothing_given_is_the_defaults() -> None:
    assert load(environ={}) == Settings()


def test_each_source_beats_the_ones_before_it() -> None:
    file = toml("[fetch]\ntimeout_s = 2\n")
    environ = {"WELLREAD_FETCH_TIMEOUT_S": "3"}
    assert load(environ={}).fetch.timeout_s == 15
    assert load(file=file, environ={}).fetch.timeout_s == 2
    assert load(file=file, environ=environ).fetch.timeout_s == 3
    assert load(file=file, environ=environ, flags={"fetch.timeout_s": 4}).fetch.timeout_s == 4


def test_explain_says_where_each_value_came_from() -> None:
    file = toml("[fetch]\ntimeout_s = 2\n")
    environ = {"WELLREAD_NET_PER_HOST": "7", "SSL_CERT_FILE": "/certs.pem"}
    settings, origins = explain(file=file, environ=environ, flags={"gather.pages": "4", "gather.results": None})
    assert origin("fetch.timeout_s", origins) == ("fetch.timeout_s", 2.0, "given.toml")
    assert origin("net.per_host", origins) == ("net.per_host", 7, "WELLREAD_NET_PER_HOST")
    assert origin("net.ca_file", origins) == ("net.ca_file", Path("/certs.pem"), "SSL_CERT_FILE")
    assert origin("gather.pages", origins) == ("gather.pages", 4, "flag")
    assert origin("gather.results", origins) == ("gather.results", 10, "default")
    assert origin("cache.dir", origins).source == "default"
    assert [each.name for each in origins] == setting_names()
    assert settings == load(file=file, environ=environ, flags={"gather.pages": 4})


@pytest.mark.parametrize(
    "text",
    [
        '[net]\nallow_hosts = ["127.0.0.1:80"]',
        "[net]\nallow_ports = [22]",
        '[net]\nca_file = "theirs.pem"',
        "[net]\nrobots = false",
        '[cache]\ndir = "/somewhere"',
        '[search.urls]\nbrave = "https://keys.example"',
        '[search.keys]\nbrave = "theirs"',
        '[embed]\nurl = "https://keys.example"',
        '[embed]\nkey = "theirs"',
        '[browser]\nexecutable = "/tmp/theirs"',
        '[browser]\nconnect = "ws://theirs.example"',
        "[browser]\nsandbox = false",
        '[browser]\nupstream = "http://theirs.example:80"',
        '[browse]\nworkspace = "/somewhere"',
        '[server]\nhost = "0.0.0.0"',
        '[server]\nhosts = ["theirs.example"]',
        '[server]\norigins = ["https://theirs.example"]',
        '[server]\nworkspace = "/somewhere"',
        '[store]\nurl = "postgresql://theirs.example/all"',
        '[net]\nuser_agent = "Googlebot/2.1"',
        "[extract]\nprocesses = 0",
        "[search]\nfan_out = 9",
        "[search.usd]\nbrave = 0.0",
        '[embed]\nservice = "openai"',
        "[browser]\nservice_workers = true",
        '[browser]\npermissions = ["clipboard-read", "geolocation"]',
        '[browser]\ngeolocation = "1.0,2.0"',
        '[browse]\ndialogs = "accept"',
        "[research]\nmax_tokens = 9_000_000",
        "[research]\nmax_usd = 900.0",
        "[models]\nday_usd = 900.0",
        "[models]\nturn_tokens = 9_000_000",
        "[models.input_usd]\n'*' = 0.0",
        '[assistant]\nowner = ["http:mallory"]',
        '[assistant]\nshared = ["integrations", "workspace", "mcp"]',
    ],
)
def test_file_in_the_working_folder_allows_no_access(text: str) -> None:
    file = toml(text, "wellread.toml")
    told = refusal()
    assert told.message.startswith("wellread.toml in the working folder sets ")
    assert told.hint == "if you trust the file, use --config wellread.toml, or set WELLREAD_CONFIG=wellread.toml"
    assert load(file=file, environ={}) == load(environ={"WELLREAD_CONFIG": "wellread.toml"}) != Settings()


def test_texts_and_switches_that_an_unnamed_file_may_set() -> None:
    numbers = (int, float, int | None)
    free = {
        name
        for name in setting_names()
        if not has_mark(name, Mark.NAMED_FILE_ONLY) and setting_type(name) not in numbers
    }
    assert free == {
        *("extract.ocr", "extract.ocr_languages", "schedule.timezone", "assistant.learn", "shared.replica"),
        *("browser.headed", "browser.user_agent", "browser.viewport", "browser.locale", "browse.snapshots"),
        *("render.enabled", "render.wait", "render.images", "search.providers"),
        *("server.logs", "server.mcp_answers", "server.mcp_tools", "server.mcp_stateless"),
    }


def test_the_users_own_file_is_trusted_even_when_they_stand_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml("[net]\nallow_ports = [22]\n", "xdg/wellread/wellread.toml")
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    assert load(environ=environ).net.allow_ports == (22,)
    monkeypatch.chdir(tmp_path / "xdg" / "wellread")
    assert load(environ=environ).net.allow_ports == (22,)


def test_a_variable_of_our_own_beats_ssl_cert_file() -> None:
    environ = {"SSL_CERT_FILE": "/theirs.pem", "WELLREAD_NET_CA_FILE": "/ours.pem"}
    assert load(environ=environ).net.ca_file == Path("/ours.pem")


def test_region_of_s3_from_the_variables_of_aws() -> None:
    environ = {"AWS_DEFAULT_REGION": "eu-west-1"}
    assert load(environ=environ).objects.region == "eu-west-1"
    environ["AWS_REGION"] = "eu-west-2"
    settings, origins = explain(environ=environ)
    assert settings.objects.region == "eu-west-2"
    assert origin("objects.region", origins).source == "AWS_REGION"
    assert load(environ=environ, file=toml('[objects]\nregion = "eu-west-3"\n')).objects.region == "eu-west-3"
    environ["WELLREAD_OBJECTS_REGION"] = "eu-west-4"
    assert load(environ=environ).objects.region == "eu-west-4"


def test_a_file_in_the_working_folder_is_read_without_being_named() -> None:
    toml("[gather]\npages = 9\n", "wellread.toml")
    toml("[gather]\npages = 1\n", "home/.config/wellread/wellread.toml")
    assert load(environ={}).gather.pages == 9


def test_file_in_the_config_folder(tmp_path: Path) -> None:
    toml("[gather]\npages = 2\n", "home/.config/wellread/wellread.toml")
    toml("[gather]\npages = 3\n", "xdg/wellread/wellread.toml")
    assert load(environ={}).gather.pages == 2
    assert load(environ={"XDG_CONFIG_HOME": str(tmp_path / "xdg")}).gather.pages == 3


def test_the_data_folder_follows_xdg_and_ignores_a_relative_one(tmp_path: Path) -> None:
    home = tmp_path / "home/.local/share/wellread"
    assert load(environ={}).cache.dir == home
    assert load(environ={"XDG_DATA_HOME": "/data"}).cache.dir == Path("/data/wellread")
    assert load(environ={"XDG_DATA_HOME": "data"}).cache.dir == home


def test_other_programs_variables_are_left_alone() -> None:
    assert load(environ={"WELL": "1", "READ_FETCH_TIMEOUT_S": "3", "wellread_x": "1"}) == Settings()


def test_settings_cannot_be_changed_after_they_are_read() -> None:
    with pytest.raises(AttributeError):
        load(environ={}).fetch.timeout_s = 1  # type: ignore[misc]  # that is the point


# ------------------------------------------------------------------------------------- kinds of values


@pytest.mark.parametrize(
    "text", ['["127.0.0.1:8000", "[::1]:8080"]', "127.0.0.1:8000,[::1]:8080", " 127.0.0.1:8000 , [::1]:8080 ,"]
)
def test_a_list_in_the_environment_is_json_or_commas(text: str) -> None:
    if text.strip().startswith('["'):
        json.loads(text)
    settings = load(environ={"WELLREAD_NET_ALLOW_HOSTS": text})
    assert settings.net.allow_hosts == ("127.0.0.1:8000", "[::1]:8080")


def test_a_list_of_numbers_holds_numbers() -> None:
    assert load(environ={"WELLREAD_NET_ALLOW_PORTS": "9000, 9001"}).net.allow_ports == (9000, 9001)
    assert load(environ={}, file=toml("[net]\nallow_ports = [9000, 9001]\n")).net.allow_ports == (9000, 9001)
    assert load(environ={"WELLREAD_NET_ALLOW_PORTS": ""}).net.allow_ports == ()


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("1", True), ("Yes", True), (" on ", True), ("FALSE", False), ("0", False)]
)
def test_truth_has_several_spellings(text: str, *, value: bool) -> None:
    assert load(environ={"WELLREAD_NET_ROBOTS": text}).net.robots is value


def test_an_optional_value_can_be_taken_back() -> None:
    file = toml('[net]\nca_file = "/company.pem"\n')
    assert load(file=file, environ={"WELLREAD_NET_CA_FILE": ""}).net.ca_file is None


def test_a_path_may_start_at_home(tmp_path: Path) -> None:
    assert load(environ={"WELLREAD_CACHE_DIR": "~/kept"}).cache.dir == tmp_path / "home/kept"


def test_a_number_may_be_written_with_underscores() -> None:
    assert load(environ={"WELLREAD_FETCH_MAX_BYTES": "20_000_000"}).fetch.max_bytes == 20_000_000


@given(st.floats(min_value=1e-6, max_value=1e9))
def test_a_number_survives_the_environment(number: float) -> None:
    assert load(environ={"WELLREAD_FETCH_IDLE_S": repr(number)}).fetch.idle_s == number


# ----------------------------------------------------------------------------------- what is wrong, told


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("fetch.timeout_s", "soon", "expected a number, got 'soon'"),
        ("fetch.timeout_s", "nan", "at least 0"),
        ("fetch.timeout_s", "inf", "at least 0"),
        ("fetch.timeout_s", -1, "at least 0"),
        ("fetch.timeout_s", 10**400, "expected a number"),
        ("fetch.timeout_s", True, "expected a number"),
        ("fetch.timeout_s", [1], "expected a number"),
        ("fetch.max_redirects", "1.5", "expected a whole number"),
        ("fetch.max_redirects", 1.5, "expected a whole number"),
        ("fetch.max_redirects", float("inf"), "expected a whole number"),
        ("fetch.max_redirects", float("nan"), "expected a whole number"),
        ("net.robots", "perhaps", "expected true or false"),
        ("net.robots", 2, "expected true or false"),
        ("net.allow_ports", 8000, "expected a list"),
        ("net.allow_ports", "http", "expected a whole number"),
        ("net.allow_hosts", "[oops", "Expecting value"),
        ("net.allow_hosts", [["a:1"]], "expected text"),
        ("net.user_agent", 7, "expected text"),
        ("cache.dir", 7, "expected text"),
        ("cache.dir", "~nobody-by-this-name/x", "home"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_name(name: str, value: object, says: str) -> None:
    error = refusal(flags={name: value})
    assert error.message.startswith(f"{name} in flag: ")
    assert says in error.message


@pytest.mark.parametrize("name", [name for name in setting_names() if has_mark(name, Mark.POSITIVE)])
def test_nothing_that_must_happen_can_be_set_to_zero(name: str) -> None:
    assert "more than 0" in refusal(flags={name: 0}).message


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"flags": {"fetch.timeout": 1}}, "fetch.timeout_s"),
        ({"environ": {"WELLREAD_FETCH_TIMEOUT": "1"}}, "WELLREAD_FETCH_TIMEOUT_S"),
        ({"environ": {"WELLREAD_GATHER_PAGE": "1"}}, "WELLREAD_GATHER_PAGES"),
    ],
)
def test_an_unknown_name_is_an_error_that_names_the_nearest(given: dict[str, object], named: str) -> None:
    error = refusal(**given)
    assert error.message.startswith("unknown setting ")
    assert error.hint == f"did you mean {named}?"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[fetch]\ntimeout = 3\n", "fetch.timeout_s"),
        ("[fetsh]\ntimeout_s = 3\n", "[fetch]"),
        ("[fetsh]\n", "[fetch]"),
        ("timeout_s = 3\n", "fetch.timeout_s"),
        ("[net.robots]\nobey = true\n", None),
    ],
)
def test_an_unknown_name_in_a_file_names_the_file_and_the_nearest(text: str, named: str | None) -> None:
    error = refusal(file=toml(text))
    assert "given.toml" in error.message
    assert named is None or error.hint == f"did you mean {named}?"


def test_a_name_like_no_other_points_to_the_list_of_settings() -> None:
    assert "wellread config" in refusal(flags={"qqqq": 1}).hint


@pytest.mark.parametrize("content", [b"[fetch\n", b"\xff\xfe", None])
def test_a_file_that_cannot_be_read_is_named(content: bytes | None) -> None:
    path = Path("broken.toml")
    if content is not None:
        path.write_bytes(content)
    assert refusal(file=path).message.startswith("cannot read broken.toml: ")


# -------------------------------------------------------------------------------------------- secrets


@given(st.text(min_size=4).filter(lambda text: text not in "[***]"))
def test_a_secret_never_prints(value: str) -> None:
    secret = Secret(value)
    shown = [str(secret), repr(secret), f"{secret}", f"{secret!r:>4}", "%s %r" % (secret, secret), repr([secret])]  # noqa: UP031 - this way of printing must not tell either
    assert all(value not in text for text in shown)
    assert str(secret) == "***"


def test_a_secret_is_given_up_on_demand_only() -> None:
    secret = Secret("s3same")
    with pytest.raises(TypeError):
        json.dumps({"key": secret})
    assert secret.reveal() == "s3same"
    assert type(secret.reveal()) is str


def test_an_error_about_text_does_not_repeat_the_value() -> None:
    assert "12345" not in refusal(flags={"net.user_agent": 12345}).message


def test_the_customary_variable_of_searxng_is_its_address() -> None:
    settings, origins = explain(environ={"SEARXNG_URL": "http://127.0.0.1:8080"})
    assert settings.search.urls["searxng"].reveal() == "http://127.0.0.1:8080"
    assert origin("search.urls", origins).source == "customary variables"
    own = {"SEARXNG_URL": "http://a.example", "WELLREAD_SEARCH_URLS": "searxng=http://b.example"}
    assert load(environ=own).search.urls["searxng"].reveal() == "http://b.example"


def test_a_user_name_and_password_in_an_address_are_never_shown() -> None:
    settings, origins = explain(environ={"SEARXNG_URL": "https://anna:hunter2@search.example/"})
    told = origin("search.urls", origins)
    address = settings.search.urls["searxng"]
    way = provider_access(settings.search, "searxng")
    shown = (repr(settings), str(told), as_json(told), f"{address}", "%s" % address, repr(way))  # noqa: UP031 - every way to print
    assert not any("hunter2" in text or "anna" in text for text in shown)
    assert "https://***@search.example/" in as_json(told)
    assert way.base_url == "https://anna:hunter2@search.example"


def test_session_token_of_the_environment_goes_with_its_key() -> None:
    environ = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c"}
    assert load(environ=environ).objects.keys["s3_session_token"].reveal() == "c"


def test_session_token_of_the_environment_beside_a_key_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "w.toml"
    file.write_text('[objects]\nkeys = { s3_key_id = "d", s3_secret = "e" }\n', encoding="utf-8")
    environ = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c"}
    assert "s3_session_token" not in load(file=file, environ=environ).objects.keys


@pytest.mark.parametrize(("processes", "counts"), [(0, {0}), (3, {3}), (None, set(range(2, 9)))])
def test_worker_processes_follow_the_processors(processes: int | None, counts: set[int]) -> None:
    assert ExtractSettings(processes=processes).process_count in counts
