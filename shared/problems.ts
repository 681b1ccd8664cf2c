/** What a problem code means, and what to do about it. */
interface ProblemEntry {
  /** HTTP status. */
  status: number
  title: string
  /** The next step, for the person who reads it. */
  fix: string
}

/**
 * Every problem that the server answers: stable kebab-case code → HTTP status, title and fix. The server answers status
 * and title, the pages `/problems/{code}` show all three.
 */
export const catalogue = {
  'invalid-request': {
    status: 400,
    title: 'The request is malformed',
    fix: 'Compare the request with the API reference. A header or the address has the wrong form.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor is not one this list issued',
    fix: 'Start the list again without a cursor. A cursor works only for the same list, filters and user.',
  },
  'invalid-revision': {
    status: 400,
    title: 'The revision in the address is not well formed',
    fix: 'Use a branch, a tag, a commit, or a ref such as refs/pr/1. Write slashes within it as %2F.',
  },
  'invalid-path': {
    status: 400,
    title: 'The path in the address is not well formed',
    fix: 'Use a relative path without empty segments, "." or "..", backslashes or control characters.',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign in or send an access token',
    fix: 'Sign in on this page, or send an access token: Authorization: Bearer hf_….',
  },
  'bad-credentials': {
    status: 401,
    title: 'The credentials are wrong',
    fix: 'Check the username and password. If you sent an access token, it is unknown or revoked: create a new one in the settings.',
  },
  'token-expired': {
    status: 401,
    title: 'The access token has expired',
    fix: 'Create a new access token in the settings and use it instead.',
  },
  'session-idle': {
    status: 401,
    title: 'You were signed out after a time without use',
    fix: 'Sign in again. An admin of this server sets how long a session lasts without use.',
  },
  forbidden: {
    status: 403,
    title: 'You lack the right to do this',
    fix: 'Ask an admin of the repo or organisation for the role that this needs.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The access token lacks a scope',
    fix: 'Use an access token with the scope that the answer names. You choose scopes when you create a token.',
  },
  'csrf-token-invalid': {
    status: 403,
    title: 'The CSRF token is missing or wrong',
    fix: 'Reload the page and try again. Scripts should use an access token instead of a session.',
  },
  'session-required': {
    status: 403,
    title: 'Only a signed-in browser session may do this',
    fix: "Sign in with a browser. Access tokens can't do this.",
  },
  'wrong-password': {
    status: 403,
    title: 'The current password is wrong',
    fix: 'Enter the password you sign in with. Too many wrong passwords block further attempts for a while.',
  },
  'no-local-password': {
    status: 403,
    title: 'This account has no local password',
    fix: 'Change the password at your sign-in provider. This server has none for your account.',
  },
  'fresh-sign-in-required': {
    status: 403,
    title: 'This needs a sign-in of the last 10 minutes',
    fix: 'Confirm who you are with your password or a passkey, or sign in again. Then repeat the request.',
  },
  'second-factor-required': {
    status: 403,
    title: 'Admins need a second factor here',
    fix: 'Add a passkey under Settings → Sign-in methods, or sign in with a provider. Then repeat the request.',
  },
  gated: {
    status: 403,
    title: 'Access to the files of this repo must be requested',
    fix: 'Open the page of the repo, request access, and wait for its owners to decide.',
  },
  'repo-disabled': {
    status: 403,
    title: 'This repo has been disabled',
    fix: 'An admin of this server has disabled the repo. Ask an admin.',
  },
  'branch-protected': {
    status: 403,
    title: 'A rule protects this branch',
    fix: 'Open a pull request instead. An admin of the repo can change the rule under Settings → Branches.',
  },
  'registration-closed': {
    status: 403,
    title: 'Registration is closed',
    fix: 'Ask an admin of this server for an account or an invitation.',
  },
  'read-only-mirror': {
    status: 403,
    title: 'A mirror cannot be written to',
    fix: 'Change the source of the mirror, or detach the mirror in its settings first.',
  },
  'discussions-disabled': {
    status: 403,
    title: 'Discussions are disabled',
    fix: 'An admin of the repo can enable discussions in its settings.',
  },
  'repo-not-found': {
    status: 404,
    title: 'No such repo',
    fix: "Check type, owner and name. A private repo looks absent to everyone who can't read it, so signing in may help.",
  },
  'revision-not-found': {
    status: 404,
    title: 'No such revision',
    fix: 'Check the branches and tags of the repo. The one you named may have been deleted.',
  },
  'entry-not-found': {
    status: 404,
    title: 'No such file or folder',
    fix: 'Check the files of the repo at this revision. The path may have been renamed.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing is here',
    fix: "Check the address. What you can't see looks the same as what doesn't exist.",
  },
  'request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    fix: 'Send the request again. A body of up to 1 MiB must arrive within 30 seconds. A larger body must not pause for two minutes.',
  },
  'name-taken': {
    status: 409,
    title: 'The name is in use',
    fix: 'Choose another name. Upper and lower case count as equal.',
  },
  'email-taken': {
    status: 409,
    title: 'The email address is in use',
    fix: 'Use another address. This one belongs to another account.',
  },
  'pending-email-changed': {
    status: 409,
    title: 'The pending email address has changed',
    fix: 'Reload the account. The user has changed the address in the meantime.',
  },
  'commit-conflict': {
    status: 409,
    title: 'The branch has moved',
    fix: 'Read the branch again and repeat the change on its new head, which the answer names.',
  },
  'org-not-empty': {
    status: 409,
    title: 'The organisation still owns something',
    fix: 'Delete or transfer the repos of the organisation and delete its collections first.',
  },
  'already-exists': {
    status: 409,
    title: 'It already exists',
    fix: 'Use the existing one, or choose another name.',
  },
  'merge-conflict': {
    status: 409,
    title: 'The changes conflict',
    fix: 'Update the pull request so that the paths in the answer merge cleanly.',
  },
  'state-conflict': {
    status: 409,
    title: 'Its present state does not allow this',
    fix: 'Reload it. Its state has changed, and this step no longer applies.',
  },
  'last-admin': {
    status: 409,
    title: 'At least one admin must remain',
    fix: 'Make another user an admin first.',
  },
  'precondition-failed': {
    status: 412,
    title: 'It has changed since you read it',
    fix: 'Read it again and repeat the change with the new ETag.',
  },
  'body-too-large': {
    status: 413,
    title: 'The request body is too large',
    fix: 'Send less at once. Upload large files as large files.',
  },
  'file-too-large': {
    status: 413,
    title: 'The file is too large',
    fix: 'Upload the file as a large file instead of within the commit.',
  },
  'quota-exceeded': {
    status: 413,
    title: 'The storage quota would be exceeded',
    fix: 'Commit what you uploaded, delete what you no longer need, or ask an admin for more space. Uploads that are never committed stop counting when they expire; the detail says when.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not accepted here',
    fix: 'Send the content type from the API reference, usually application/json, without compression.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The range lies outside the file',
    fix: 'Ask for a range within the size of the file.',
  },
  'validation-failed': {
    status: 422,
    title: 'Some fields are not acceptable',
    fix: 'Fix the fields that the answer lists. Each has a reason.',
  },
  'weak-password': {
    status: 422,
    title: 'The password is too weak',
    fix: "Choose 12 characters or more that are hard to guess and don't contain the username.",
  },
  'no-pending-email': {
    status: 422,
    title: 'No email address awaits confirmation',
    fix: 'The user has to request a new address first.',
  },
  'invalid-name': {
    status: 422,
    title: 'The name is not allowed',
    fix: 'Use 1 to 96 letters, digits, "_", "-" or ".". Begin and end with a letter, digit or "_".',
  },
  'digest-mismatch': {
    status: 422,
    title: 'The bytes do not match the declared SHA-256',
    fix: 'Upload the file again. If it fails again, compute its SHA-256 again.',
  },
  'size-mismatch': {
    status: 422,
    title: 'The bytes do not match the declared size',
    fix: 'Upload the file again with its actual size.',
  },
  'lfs-object-missing': {
    status: 422,
    title: 'A large file has not been uploaded',
    fix: 'Upload the large files that the answer lists, then commit again.',
  },
  'no-blame': {
    status: 422,
    title: 'The lines of this file cannot be traced',
    fix: 'Lines are traced of texts up to 1 MiB that git itself keeps. For longer ones, clone the repo and run git blame.',
  },
  throttled: {
    status: 429,
    title: 'Too many attempts',
    fix: 'Retry after the time in the Retry-After header.',
  },
  'upstream-throttled': {
    status: 429,
    title: 'The upstream limits how often it answers',
    fix: 'Retry after the time in the Retry-After header. A token of the upstream may have a higher limit: save one in the settings.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers of the request are too large',
    fix: 'Send a shorter address and fewer or shorter headers: at most 16 KiB together. In a browser, delete the cookies of this site.',
  },
  internal: {
    status: 500,
    title: 'Something failed on our side',
    fix: 'Give the request id to an admin of this server. The server log has the cause.',
  },
  'temporarily-unavailable': {
    status: 503,
    title: 'Temporarily unavailable',
    fix: 'Retry the same request after the time in the Retry-After header.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The object store does not answer',
    fix: 'Retry the same request after the time in the Retry-After header. Nothing was lost.',
  },
  'database-busy': {
    status: 503,
    title: 'The database is busy',
    fix: 'Retry the same request after the time in the Retry-After header.',
  },
  'upstream-unavailable': {
    status: 504,
    title: 'The upstream does not answer',
    fix: 'Retry after the time in the Retry-After header. What is already here can be used without the upstream.',
  },
  'storage-full': {
    status: 507,
    title: 'The server has run out of disk space',
    fix: 'Tell an admin of this server. The detail says how much space is missing. Reading, deleting and signing in still work.',
  },
} as const satisfies Record<string, ProblemEntry>

/** A stable code from the catalogue. */
export type ProblemCode = keyof typeof catalogue
