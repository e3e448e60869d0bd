"""GraphQL queries for Linear, checked against its schema before they are sent."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gql import Client, GraphQLRequest
from gql.utilities import serialize_variable_values
from graphql import GraphQLError, GraphQLSchema, build_schema

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

_FIELDS = "identifier title priorityLabel dueDate url state { name } assignee { name }"
_PAGE = "pageInfo { hasNextPage endCursor }"

ISSUES = f"""query Issues($filter: IssueFilter, $first: Int!, $after: String) {{
  teams(first: 100) {{ nodes {{ key name }} }}
  issues(filter: $filter, first: $first, after: $after, orderBy: updatedAt) {{ nodes {{ {_FIELDS} }} {_PAGE} }}
}}"""
SEARCH = f"""query Search($term: String!, $first: Int!, $after: String) {{
  searchIssues(term: $term, first: $first, after: $after) {{ nodes {{ {_FIELDS} }} {_PAGE} }}
}}"""
ISSUE = """query Issue($id: String!) {
  issue(id: $id) {
    id identifier title description priority dueDate state { name } assignee { name } team { id key }
  }
}"""
TEAMS = "query Teams { teams(first: 100) { nodes { id key name } } }"
# Apart from the teams: a list within a list is charged for all that could be there, and one query may cost 10,000.
STATES = "query States($team: String!) { team(id: $team) { states(first: 100) { nodes { id name } } } }"
USERS = "query Users($filter: UserFilter) { users(first: 10, filter: $filter) { nodes { id name email } } }"
ME = "query Me { viewer { id name } }"
CREATE = """mutation Create($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { identifier url } }
}"""
UPDATE = """mutation Update($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success issue { identifier url } }
}"""


@cache
def schema() -> GraphQLSchema:
    """Return the part of Linear's schema that is used."""
    return build_schema(files(__package__).joinpath("schema.graphql").read_text(encoding="utf-8"))


def payload(query: str, variables: Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON
    """Return the payload of a query, after the query and its variables were checked against the schema.

    Raises:
        InvalidInput: a variable does not fit.
    """
    request = _checked(query)
    try:
        values = serialize_variable_values(schema(), request.document, dict(variables))
    except GraphQLError as error:
        raise InvalidInput(f"Linear rejected the request: {error.message}", hint="change the request") from error
    # For each query, what the API logs it by.
    return GraphQLRequest(request, variable_values=values).payload


@cache
def _checked(query: str) -> GraphQLRequest:
    request = GraphQLRequest(query)
    Client(schema=schema()).validate(request)
    return request
