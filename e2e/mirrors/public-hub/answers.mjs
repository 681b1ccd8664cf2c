// Refusals and JSON of the public hub.

export function sendJson(response, body, headers = {}) {
  response
    .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body))
}

/** A refusal with its code, where the hub gives one, and its words in the header and the body. */
export function refuse(response, status, code, message) {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Error-Message': message }
  response.writeHead(status, code ? { ...headers, 'X-Error-Code': code } : headers)
  response.end(JSON.stringify({ error: message }))
}

/** Of what it does not show: an anonymous caller does not learn whether it exists. */
export const refuseUnknown = ({ response, hasToken }) =>
  hasToken
    ? refuse(response, 404, 'RepoNotFound', 'Repository not found')
    : refuse(response, 401, undefined, 'Invalid username or password.')

export const refuseGated = ({ response, hasToken }, repo) =>
  refuse(
    response,
    hasToken ? 403 : 401,
    'GatedRepo',
    `Access to model ${repo} is restricted. You must have access to it and be authenticated to access it.`,
  )
