/** Every problem code: its status and title as the server's catalogue has them, and what mends it. A test compares the two. */
export const problems: Record<string, { status: number; title: string; mend: string }> = {
  'invalid-request': {
    status: 400,
    title: 'The request is malformed',
    mend: 'Compare the request with the API reference: a header or the address does not have the form it must have.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor is not one this list issued',
    mend: 'Start the list again without a cursor. A cursor works only for the list, filters and person it was given to.',
  },
  'invalid-revision': {
    status: 400,
    title: 'The revision in the address is not well formed',
    mend: 'Use a branch, a tag, a commit, or a name such as refs/pr/1; slashes within it are written %2F.',
  },
  'invalid-path': {
    status: 400,
    title: 'The path in the address is not well formed',
    mend: 'Use a relative path without empty segments, "." or "..", backslashes or control characters.',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign in or send an access token',
    mend: 'Sign in on this page, or send a Token: Authorization: Bearer hf_….',
  },
  'bad-credentials': {
    status: 401,
    title: 'The credentials are wrong',
    mend: 'Check username and password, or make a new Token in the settings: this one is unknown or revoked.',
  },
  'token-expired': {
    status: 401,
    title: 'The access token has expired',
    mend: 'Make a new Token in the settings and use it in place of the old one.',
  },
  forbidden: {
    status: 403,
    title: 'You lack the right to do this',
    mend: 'Ask an admin of the Repo or Organisation for the Role that this needs.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The access token lacks a scope',
    mend: 'Use a Token with the scope that the answer names; scopes are chosen when a Token is made.',
  },
  'csrf-token-invalid': {
    status: 403,
    title: 'The CSRF token is missing or wrong',
    mend: 'Load the page again and repeat what you did. Scripts should use a Token instead of a session.',
  },
  'session-required': {
    status: 403,
    title: 'Only a signed-in browser session may do this',
    mend: 'Sign in with a browser; Tokens cannot do this.',
  },
  'wrong-password': {
    status: 403,
    title: 'The current password is wrong',
    mend: 'Type the password that you sign in with. Too many wrong ones pause further attempts.',
  },
  'no-local-password': {
    status: 403,
    title: 'This account has no local password',
    mend: 'Change the password where you sign in; this server keeps none for the account.',
  },
  gated: {
    status: 403,
    title: 'Access to the files of this repository must be requested',
    mend: 'Open the page of the Repo, request access, and wait for the answer of its owners.',
  },
  'repo-disabled': {
    status: 403,
    title: 'This repository has been disabled',
    mend: 'The people who run this server have disabled the Repo; ask them.',
  },
  'registration-closed': {
    status: 403,
    title: 'Registration is closed',
    mend: 'Ask the people who run this server for an account or an invitation.',
  },
  'read-only-mirror': {
    status: 403,
    title: 'A mirror cannot be written to',
    mend: 'Change the source of the mirror, or detach the mirror in its settings first.',
  },
  'discussions-disabled': {
    status: 403,
    title: 'Discussions are disabled',
    mend: 'An admin of the Repo can switch discussions on in its settings.',
  },
  'repo-not-found': {
    status: 404,
    title: 'No such repository',
    mend: 'Check type, owner and name. A private Repo looks absent to everyone who may not read it, so signing in may help.',
  },
  'revision-not-found': {
    status: 404,
    title: 'No such revision',
    mend: 'Look at the branches and tags of the Repo; the one named may have been deleted.',
  },
  'entry-not-found': {
    status: 404,
    title: 'No such file or folder',
    mend: 'Look at the files of the Repo at this Revision; the path may have been renamed.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing is here',
    mend: 'Check the address. What you may not see looks the same as what does not exist.',
  },
  'name-taken': {
    status: 409,
    title: 'The name is in use',
    mend: 'Choose another name. Names that differ only in upper and lower case count as equal.',
  },
  'email-taken': {
    status: 409,
    title: 'The email address is in use',
    mend: 'Use another address; this one belongs to another account.',
  },
  'pending-email-changed': {
    status: 409,
    title: 'The pending email address has changed',
    mend: 'Read the account again: the person has changed the address meanwhile.',
  },
  'commit-conflict': {
    status: 409,
    title: 'The branch has moved',
    mend: 'Read the branch again and repeat the change on its new head, which the answer names.',
  },
  'org-not-empty': {
    status: 409,
    title: 'The Organisation still owns something',
    mend: 'Delete or transfer the Repos of the Organisation and delete its Collections first.',
  },
  'already-exists': {
    status: 409,
    title: 'It already exists',
    mend: 'Use the one that exists, or choose another name.',
  },
  'merge-conflict': {
    status: 409,
    title: 'The changes conflict',
    mend: 'Update the pull request so that the paths named in the answer merge cleanly.',
  },
  'state-conflict': {
    status: 409,
    title: 'Its present state does not allow this',
    mend: 'Read it again: its state has changed, and this step no longer follows.',
  },
  'last-admin': {
    status: 409,
    title: 'At least one admin must remain',
    mend: 'Make somebody else an admin first.',
  },
  'precondition-failed': {
    status: 412,
    title: 'It has changed since you read it',
    mend: 'Read it again and repeat the change with the new ETag.',
  },
  'body-too-large': {
    status: 413,
    title: 'The request body is too large',
    mend: 'Send less at once; large files go through uploads.',
  },
  'file-too-large': {
    status: 413,
    title: 'The file is too large',
    mend: 'Upload the file as a large file rather than within the commit.',
  },
  'quota-exceeded': {
    status: 413,
    title: 'The storage quota would be exceeded',
    mend: 'Delete what is no longer needed, or ask the people who run this server for more space.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not accepted here',
    mend: 'Send the content type that the API reference names, usually application/json, and do not compress it.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The range lies outside the file',
    mend: 'Ask for a range within the size of the file.',
  },
  'validation-failed': {
    status: 422,
    title: 'Some fields are not acceptable',
    mend: 'Mend the fields that the answer lists; each comes with the reason.',
  },
  'weak-password': {
    status: 422,
    title: 'The password is too weak',
    mend: 'Choose 12 characters or more that are hard to guess and do not hold the username.',
  },
  'no-pending-email': {
    status: 422,
    title: 'No email address awaits confirmation',
    mend: 'The person has to ask for a new address first.',
  },
  'invalid-name': {
    status: 422,
    title: 'The name is not allowed',
    mend: 'Use 1 to 96 letters, digits, "_", "-" or ".", beginning and ending with a letter, digit or "_".',
  },
  'digest-mismatch': {
    status: 422,
    title: 'The bytes do not match the declared SHA-256',
    mend: 'Send the bytes again; what arrived is not what was announced.',
  },
  'size-mismatch': {
    status: 422,
    title: 'The bytes do not match the declared size',
    mend: 'Send the bytes again with their true size.',
  },
  'lfs-object-missing': {
    status: 422,
    title: 'A large file has not been uploaded',
    mend: 'Upload the objects that the answer lists, then commit again.',
  },
  throttled: {
    status: 429,
    title: 'Too many attempts',
    mend: 'Wait as long as the Retry-After header says.',
  },
  internal: {
    status: 500,
    title: 'Something failed on our side',
    mend: 'Quote the request id to the people who run this server; their log has the cause.',
  },
  'temporarily-unavailable': {
    status: 503,
    title: 'Temporarily unavailable',
    mend: 'Send the same request again after the time in Retry-After.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The object store does not answer',
    mend: 'Send the same request again after the time in Retry-After; nothing was lost.',
  },
  'database-busy': {
    status: 503,
    title: 'The database is busy',
    mend: 'Send the same request again after the time in Retry-After.',
  },
  'storage-full': {
    status: 507,
    title: 'The server has run out of disk space',
    mend: 'Tell the people who run this server that its disk is full; reading still works.',
  },
}
