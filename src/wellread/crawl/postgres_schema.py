"""The tables and functions of a frontier in PostgreSQL.

Each call of a worker is one function, and so one transaction. A URL changes its status only under the lease of its
host, whose row is locked first. Rows are locked in one order: traps, hosts, URLs, each by its key.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "3"

TABLES: Final = """
create table if not exists hosts (
    host text primary key,
    worker text,
    prepared boolean not null default false,
    delay_s float8 not null default 0,
    next_at float8 not null default 0,
    token text,
    url_id bigint,
    leased_until float8 not null default 0,
    turn bigint not null default 0,
    failures integer not null default 0,
    waiting integer not null default 0
);
create index if not exists hosts_free on hosts (turn, host) where token is null and waiting > 0;
create index if not exists hosts_waiting on hosts (host) where waiting > 0;
create index if not exists hosts_leased on hosts (leased_until) where token is not null;
create table if not exists urls (
    id bigint primary key,
    key text not null unique,
    url text not null,
    host text not null,
    depth integer not null,
    priority float8 not null,
    in_links integer not null default 1,
    parent text,
    status text not null default 'waiting',
    was_asked boolean not null default false,
    attempts integer not null default 0,
    finished_by text,
    state text,
    etag text,
    last_modified text,
    snapshot_id text,
    worker text,
    line_start bigint,
    line_end bigint
);
create index if not exists urls_in_order on urls (host, depth, priority desc, in_links desc, id)
    where status = 'waiting';
create index if not exists urls_by_line on urls (worker, line_end) where status = 'done';
create table if not exists texts (
    text_id text primary key,
    url text not null,
    signature bytea not null,
    bands bigint[] not null
);
create index if not exists texts_by_url on texts using hash (url);
create index if not exists texts_by_band on texts using gin (bands);
create table if not exists traps (
    name text not null,
    trap_group text not null,
    admitted integer not null default 0,
    refused integer not null default 0,
    primary key (name, trap_group)
);
create table if not exists deep_urls (key text primary key, depth integer not null, fields text not null);
create table if not exists facts (name text primary key, fact text not null);
create table if not exists workers (
    worker text primary key,
    machine text not null,
    folder text not null
);
create table if not exists tallies (
    worker text not null,
    name text not null,
    tally bigint not null,
    primary key (worker, name)
);
create sequence if not exists turns;
create sequence if not exists url_batches increment 1000000;
"""
"""A tally is the sum of one worker, so that workers do not wait for each other: of the URLs that it has added (`added`)
and asked for (`asked`), and of those that it has done, by state."""

FUNCTIONS: Final = """
create or replace function add_tally(p_worker text, p_name text, p_more bigint) returns void language sql as $body$
    insert into tallies (worker, name, tally) values (p_worker, p_name, p_more)
    on conflict (worker, name) do update set tally = tallies.tally + excluded.tally;
$body$;

create or replace function asked_count() returns bigint language sql as $body$
    select coalesce(sum(tally), 0)::bigint from tallies where name = 'asked';
$body$;

create or replace function room_below(p_limit bigint) returns bigint language sql as $body$
    select p_limit - asked_count() - (select count(*) from hosts where token is not null);
$body$;

create or replace function current_round() returns text language sql as $body$
    select coalesce((select fact from facts where name = 'round'), '0');
$body$;

create or replace function add_urls(p_worker text, p_urls jsonb) returns bigint language plpgsql as $body$
declare
    link record;
    batch bigint := nextval('url_batches');
    added bigint := 0;
begin
    insert into traps (name, trap_group)
        select distinct t.trap_name, t.trap_group
        from jsonb_to_recordset(p_urls) as t (trap_name text, trap_group text)
        where t.trap_name is not null order by 1, 2
        on conflict do nothing;
    perform 1 from traps where (name, trap_group) in (
        select t.trap_name, t.trap_group from jsonb_to_recordset(p_urls) as t (trap_name text, trap_group text)
    ) order by name, trap_group for update;
    insert into hosts (host)
        select distinct t.host from jsonb_to_recordset(p_urls) as t (host text, trap_bound integer)
        where t.trap_bound is distinct from 0 order by 1
        on conflict do nothing;
    perform 1 from hosts where host in (
        select t.host from jsonb_to_recordset(p_urls) as t (host text)
    ) order by host for update;
    for link in
        select * from jsonb_to_recordset(p_urls) as t (
            number bigint, key text, url text, host text, depth integer, priority float8, parent text,
            trap_name text, trap_group text, trap_bound integer
        ) order by key, number
    loop
        update urls set in_links = in_links + 1, depth = least(depth, link.depth),
            priority = greatest(priority, link.priority) where key = link.key;
        continue when found;
        if link.trap_name is not null then
            update traps set admitted = admitted + 1
                where name = link.trap_name and trap_group = link.trap_group and admitted < link.trap_bound;
            if not found then
                update traps set refused = refused + 1 where name = link.trap_name and trap_group = link.trap_group;
                continue;
            end if;
        end if;
        insert into urls (id, key, url, host, depth, priority, parent)
            values (batch + link.number, link.key, link.url, link.host, link.depth, link.priority, link.parent)
            on conflict (key) do nothing;
        if found then
            update hosts set waiting = waiting + 1 where host = link.host;
            added := added + 1;
        end if;
    end loop;
    if added > 0 then
        perform add_tally(p_worker, 'added', added);
    end if;
    return added;
end
$body$;

create or replace function lease_host(
    p_worker text, p_round text, p_now float8, p_until float8, p_limit bigint
) returns jsonb language plpgsql as $body$
declare
    next_host hosts;
    next_url urls;
    lease_token text := gen_random_uuid()::text;
begin
    if current_round() <> p_round then
        return null;
    end if;
    for next_host in
        select * from hosts where token is not null and leased_until <= p_now for update skip locked
    loop
        update urls set status = 'waiting' where id = next_host.url_id and status = 'leased';
        update hosts set token = null, url_id = null, waiting = waiting + 1 where host = next_host.host;
    end loop;
    if p_limit is not null and room_below(p_limit) <= 1000 then
        perform pg_advisory_xact_lock(hashtextextended(current_schema(), 0));
        if room_below(p_limit) <= 0 then
            return null;
        end if;
    end if;
    select * into next_host from hosts
        where token is null and waiting > 0 and next_at <= p_now and (worker is null or worker = p_worker)
        order by turn, host limit 1 for update skip locked;
    if not found then
        select * into next_host from hosts
            where token is null and waiting > 0 and next_at <= p_now
            order by turn, host limit 1 for update skip locked;
    end if;
    if not found then
        return null;
    end if;
    select * into next_url from urls
        where host = next_host.host and status = 'waiting'
        order by depth, priority desc, in_links desc, id limit 1 for update;
    if not found then
        return null;
    end if;
    update urls set status = 'leased' where id = next_url.id;
    update hosts set token = lease_token, url_id = next_url.id, worker = p_worker, leased_until = p_until,
        next_at = p_until + delay_s, turn = nextval('turns'), waiting = waiting - 1 where host = next_host.host;
    return to_jsonb(next_url) || jsonb_build_object(
        'token', lease_token, 'prepared', next_host.prepared, 'delay_s', next_host.delay_s,
        'failures', next_host.failures
    );
end
$body$;

create or replace function finish_lease(
    p_worker text, p_token text, p_host text, p_url bigint, p_next_at float8, p_failures integer, p_outcome jsonb
) returns boolean language plpgsql as $body$
begin
    perform 1 from hosts where host = p_host and token = p_token for update;
    if not found then  -- true if the connection broke after this very call had succeeded
        return exists (select from urls where id = p_url and finished_by = p_token);
    end if;
    update hosts set token = null, url_id = null, leased_until = 0, next_at = p_next_at, failures = p_failures
        where host = p_host;
    if p_outcome->>'state' is null then
        update urls set status = 'waiting', attempts = attempts + 1, finished_by = p_token where id = p_url;
        update hosts set waiting = waiting + 1 where host = p_host;
        return true;
    end if;
    update urls set status = 'done', finished_by = p_token, worker = p_worker, state = p_outcome->>'state',
        was_asked = (p_outcome->>'was_asked')::boolean, etag = p_outcome->>'etag',
        last_modified = p_outcome->>'last_modified', snapshot_id = p_outcome->>'snapshot_id',
        line_start = (p_outcome->>'line_start')::bigint, line_end = (p_outcome->>'line_end')::bigint
        where id = p_url;
    perform add_tally(p_worker, p_outcome->>'state', 1);
    if (p_outcome->>'was_asked')::boolean then
        perform add_tally(p_worker, 'asked', 1);
    end if;
    return true;
end
$body$;

create or replace function forget_lines_after(p_worker text, p_size bigint) returns void language plpgsql as $body$
declare
    line record;
begin
    for line in
        select * from urls where worker = p_worker and status = 'done' and line_end > p_size for update
    loop
        update urls set status = 'waiting', was_asked = false, state = null, etag = null, last_modified = null,
            snapshot_id = null, line_start = null, line_end = null where id = line.id;
        update hosts set waiting = waiting + 1 where host = line.host;
        perform add_tally(p_worker, line.state, -1);
        if line.was_asked then
            perform add_tally(p_worker, 'asked', -1);
        end if;
    end loop;
end
$body$;

create or replace function start_round(p_worker text, p_round text) returns void language plpgsql as $body$
begin
    -- A call whose connection broke may still run: its repetition waits here, and finds the round begun.
    perform pg_advisory_xact_lock(hashtextextended(current_schema(), 1));
    if current_round()::bigint >= p_round::bigint then
        return;
    end if;
    update urls set etag = null, last_modified = null, line_start = null, line_end = null where status <> 'done';
    update urls set status = 'waiting', attempts = 0, was_asked = false;
    update hosts set prepared = false, failures = 0, token = null, url_id = null,
        waiting = (select count(*) from urls where urls.host = hosts.host and status = 'waiting');
    delete from facts where name = 'ended';
    insert into facts values ('round', p_round) on conflict (name) do update set fact = excluded.fact;
    delete from tallies;
    perform add_tally(p_worker, 'added', (select count(*) from urls));
end
$body$;

create or replace function claim_text(
    p_url text, p_text_id text, p_signature bytea, p_bands bigint[]
) returns text language plpgsql as $body$
begin
    delete from texts where url = p_url and text_id <> p_text_id;
    insert into texts values (p_text_id, p_url, p_signature, p_bands) on conflict (text_id) do nothing;
    return (select url from texts where text_id = p_text_id);
end
$body$;
"""
