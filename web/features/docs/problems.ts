/** Every problem code: its status and title as the server's catalogue has them, and what mends it. A test compares the two. */
export const problems: Record<string, { status: number; title: string; fix: string }> = {
  'invalid-request': {
    status: 400,
    title: 'The request is malformed',
    fix: 'Compare the request with the API reference: a header or the address does not have the form it must have.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor is not one this list issued',
    fix: 'Start the list again without a cursor. A cursor works only for the list, filters and person it was given to.',
  },
  'invalid-revision': {
    status: 400,
    title: 'The revision in the address is not well formed',
    fix: 'Use a branch, a tag, a commit, or a name such as refs/pr/1; slashes within it are written %2F.',
  },
  'invalid-path': {
    status: 400,
    title: 'The path in the address is not well formed',
    fix: 'Use a relative path without empty segments, "." or "..", backslashes or control characters.',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign in or send an access token',
    fix: 'Sign in on this page, or send a Token: Authorization: Bearer hf_….',
  },
  'bad-credentials': {
    status: 401,
    title: 'The credentials are wrong',
    fix: 'Check username and password, or make a new Token in the settings: this one is unknown or revoked.',
  },
  'token-expired': {
    status: 401,
    title: 'The access token has expired',
    fix: 'Make a new Token in the settings and use it in place of the old one.',
  },
  forbidden: {
    status: 403,
    title: 'You lack the right to do this',
    fix: 'Ask an admin of the Repo or Organisation for the Role that this needs.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The access token lacks a scope',
    fix: 'Use a Token with the scope that the answer names; scopes are chosen when a Token is made.',
  },
  'csrf-token-invalid': {
    status: 403,
    title: 'The CSRF token is missing or wrong',
    fix: 'Load the page again and repeat what you did. Scripts should use a Token instead of a session.',
  },
  'session-required': {
    status: 403,
    title: 'Only a signed-in browser session may do this',
    fix: 'Sign in with a browser; Tokens cannot do this.',
  },
  'wrong-password': {
    status: 403,
    title: 'The current password is wrong',
    fix: 'Type the password that you sign in with. Too many wrong ones pause further attempts.',
  },
  'no-local-password': {
    status: 403,
    title: 'This account has no local password',
    fix: 'Change the password where you sign in; this server keeps none for the account.',
  },
  gated: {
    status: 403,
    title: 'Access to the files of this repository must be requested',
    fix: 'Open the page of the Repo, request access, and wait for the answer of its owners.',
  },
  'repo-disabled': {
    status: 403,
    title: 'This repository has been disabled',
    fix: 'The people who run this server have disabled the Repo; ask them.',
  },
  'registration-closed': {
    status: 403,
    title: 'Registration is closed',
    fix: 'Ask the people who run this server for an account or an invitation.',
  },
  'read-only-mirror': {
    status: 403,
    title: 'A mirror cannot be written to',
    fix: 'Change the source of the mirror, or detach the mirror in its settings first.',
  },
  'discussions-disabled': {
    status: 403,
    title: 'Discussions are disabled',
    fix: 'An admin of the Repo can switch discussions on in its settings.',
  },
  'repo-not-found': {
    status: 404,
    title: 'No such repository',
    fix: 'Check type, owner and name. A private Repo looks absent to everyone who may not read it, so signing in may help.',
  },
  'revision-not-found': {
    status: 404,
    title: 'No such revision',
    fix: 'Look at the branches and tags of the Repo; the one named may have been deleted.',
  },
  'entry-not-found': {
    status: 404,
    title: 'No such file or folder',
    fix: 'Look at the files of the Repo at this Revision; the path may have been renamed.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing is here',
    fix: 'Check the address. What you may not see looks the same as what does not exist.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    fix: 'Send the request again. A body of up to 1 MiB must arrive within 30 seconds; a larger one must not stand still for two minutes.',
  },
  'name-taken': {
    status: 409,
    title: 'The name is in use',
    fix: 'Choose another name. Names that differ only in upper and lower case count as equal.',
  },
  'email-taken': {
    status: 409,
    title: 'The email address is in use',
    fix: 'Use another address; this one belongs to another account.',
  },
  'pending-email-changed': {
    status: 409,
    title: 'The pending email address has changed',
    fix: 'Read the account again: the person has changed the address meanwhile.',
  },
  'commit-conflict': {
    status: 409,
    title: 'The branch has moved',
    fix: 'Read the branch again and repeat the change on its new head, which the answer names.',
  },
  'org-not-empty': {
    status: 409,
    title: 'The Organisation still owns something',
    fix: 'Delete or transfer the Repos of the Organisation and delete its Collections first.',
  },
  'already-exists': {
    status: 409,
    title: 'It already exists',
    fix: 'Use the one that exists, or choose another name.',
  },
  'merge-conflict': {
    status: 409,
    title: 'The changes conflict',
    fix: 'Update the pull request so that the paths named in the answer merge cleanly.',
  },
  'state-conflict': {
    status: 409,
    title: 'Its present state does not allow this',
    fix: 'Read it again: its state has changed, and this step no longer follows.',
  },
  'last-admin': {
    status: 409,
    title: 'At least one admin must remain',
    fix: 'Make somebody else an admin first.',
  },
  'precondition-failed': {
    status: 412,
    title: 'It has changed since you read it',
    fix: 'Read it again and repeat the change with the new ETag.',
  },
  'body-too-large': {
    status: 413,
    title: 'The request body is too large',
    fix: 'Send less at once; large files go through uploads.',
  },
  'file-too-large': {
    status: 413,
    title: 'The file is too large',
    fix: 'Upload the file as a large file rather than within the commit.',
  },
  'quota-exceeded': {
    status: 413,
    title: 'The storage quota would be exceeded',
    fix: 'Commit what you uploaded, delete what is no longer needed, or ask the people who run this server for more space. Uploads that are never committed stop counting when they expire; the detail says when.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not accepted here',
    fix: 'Send the content type that the API reference names, usually application/json, and do not compress it.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The range lies outside the file',
    fix: 'Ask for a range within the size of the file.',
  },
  'validation-failed': {
    status: 422,
    title: 'Some fields are not acceptable',
    fix: 'Mend the fields that the answer lists; each comes with the reason.',
  },
  'weak-password': {
    status: 422,
    title: 'The password is too weak',
    fix: 'Choose 12 characters or more that are hard to guess and do not hold the username.',
  },
  'no-pending-email': {
    status: 422,
    title: 'No email address awaits confirmation',
    fix: 'The person has to ask for a new address first.',
  },
  'invalid-name': {
    status: 422,
    title: 'The name is not allowed',
    fix: 'Use 1 to 96 letters, digits, "_", "-" or ".", beginning and ending with a letter, digit or "_".',
  },
  'digest-mismatch': {
    status: 422,
    title: 'The bytes do not match the declared SHA-256',
    fix: 'Send the bytes again; what arrived is not what was announced.',
  },
  'size-mismatch': {
    status: 422,
    title: 'The bytes do not match the declared size',
    fix: 'Send the bytes again with their true size.',
  },
  'lfs-object-missing': {
    status: 422,
    title: 'A large file has not been uploaded',
    fix: 'Upload the objects that the answer lists, then commit again.',
  },
  throttled: {
    status: 429,
    title: 'Too many attempts',
    fix: 'Wait as long as the Retry-After header says.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers of the request are too large',
    fix: 'Send a shorter address and fewer or shorter headers: together they may have 16 KiB. A browser may have to delete its cookies for this site.',
  },
  internal: {
    status: 500,
    title: 'Something failed on our side',
    fix: 'Quote the request id to the people who run this server; their log has the cause.',
  },
  'temporarily-unavailable': {
    status: 503,
    title: 'Temporarily unavailable',
    fix: 'Send the same request again after the time in Retry-After.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The object store does not answer',
    fix: 'Send the same request again after the time in Retry-After; nothing was lost.',
  },
  'database-busy': {
    status: 503,
    title: 'The database is busy',
    fix: 'Send the same request again after the time in Retry-After.',
  },
  'storage-full': {
    status: 507,
    title: 'The server has run out of disk space',
    fix: 'Tell the people who run this server that its disk is full; the detail says how much must be freed. Reading, deleting and signing in still work.',
  },
}
