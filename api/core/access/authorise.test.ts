import { describe, expect, test } from 'vitest'
import type { Fence, Role, Scope } from '../../../shared/vocabulary.ts'
import {
  anonymous,
  authorise,
  authoriseNamespace,
  authoriseProfile,
  repoNotFound,
  requireAccount,
  requireInstanceAdmin,
  requireUser,
  type Actor,
  type RepoFacts,
  type UserActor,
} from './index.ts'

const session = { kind: 'session', sessionId: 's', expiresAt: new Date(0), confirmedAt: new Date(0) } as const

function user(more: Partial<UserActor> = {}): UserActor {
  const roles = new Map<string, Role>()
  return { kind: 'user', id: 'u', username: 'ada', isAdmin: false, roles, auth: session, ...more }
}

function token(scopes: Scope[], fence: Fence | null = null): UserActor['auth'] {
  const named = { kind: 'token', tokenId: 't', tokenName: 'n' } as const
  return { ...named, scopes, fence, createdAt: new Date(0), expiresAt: null }
}

const repo: RepoFacts = {
  type: 'model',
  namespaceId: 'ns',
  ns: 'acme',
  name: 'bert',
  visibility: 'public',
  gated: null,
  isDeleted: false,
  isDisabled: false,
  isMirror: false,
  collaboratorRole: null,
  accessStatus: null,
}
const open = { anonymousRead: true }
const closed = { anonymousRead: false }

describe('a refusal says what is missing', () => {
  const gated: RepoFacts = { ...repo, gated: 'auto' }
  const hidden: RepoFacts = { ...repo, visibility: 'private' }
  const byToken = user({ auth: token(['read']), roles: new Map([['ns', 'write']]) })

  test.each([
    ['sign in', anonymous, 'repo.like', repo, 'unauthenticated', 401],
    ['a role', user(), 'repo.commit', repo, 'forbidden', 403],
    ['the scope write', byToken, 'repo.commit', repo, 'insufficient-scope', 403],
    ['the scope read', user({ auth: token(['admin']) }), 'repo.read', repo, 'insufficient-scope', 403],
    ['an accepted request', user(), 'repo.files', gated, 'gated', 403],
    ['nothing one may know of', user(), 'repo.read', hidden, 'repo-not-found', 404],
  ] as const)('%s', (_, actor, action, facts, code, status) => {
    expect(() => authorise(actor, action, facts, open)).toThrow(expect.objectContaining({ code, status }))
  })

  test('naming the scope', () => {
    expect(() => authorise(byToken, 'repo.commit', repo, open)).toThrow('"write"')
    expect(() => authorise(user({ auth: token(['admin']) }), 'repo.read', repo, open)).toThrow('"read"')
  })

  test('naming the role and what it is needed for', () => {
    const acme = { id: 'ns', name: 'acme', kind: 'org' } as const
    expect(() => authorise(user(), 'repo.commit', repo, open)).toThrow(
      'You may not change the files, branches and tags of this repo: that needs the role write there.',
    )
    expect(() => authoriseNamespace(user(), 'namespace.members.set', acme)).toThrow(
      'You may not change the members of this organisation: that needs the role admin there.',
    )
  })

  test('naming the fence, where its owner has the role', () => {
    const fenced = user({ auth: token(['write'], { namespaces: ['x'] }), roles: new Map([['ns', 'admin']]) })
    const said = 'with this access token: its fence does not include it.'
    expect(() => authorise(fenced, 'repo.like', repo, open)).toThrow(said)
    expect(() =>
      authoriseNamespace(fenced, 'namespace.create-repo', { id: 'ns', name: 'acme', kind: 'org' }),
    ).toThrow(said)
  })
})

test.each([
  ['to one who is signed in', user(), closed, 'repo-not-found'],
  ['to the anonymous where something is public', anonymous, open, 'repo-not-found'],
  ['to the anonymous where nothing is', anonymous, closed, 'unauthenticated'],
] as const)('an absent repo is the same problem as a hidden one %s', (_, actor, policy, code) => {
  const hidden: RepoFacts = { ...repo, visibility: 'private' }
  expect(repoNotFound(actor, policy).code).toBe(code)
  expect(() => authorise(actor, 'repo.read', hidden, policy)).toThrow(expect.objectContaining({ code }))
})

test('what is allowed passes in silence', () => {
  const admin = user({ roles: new Map([['ns', 'admin']]) })
  expect(() => authorise(admin, 'repo.delete', repo, closed)).not.toThrow()
  expect(() =>
    authoriseNamespace(admin, 'namespace.edit', { id: 'ns', name: 'acme', kind: 'org' }),
  ).not.toThrow()
  expect(() => authoriseProfile(anonymous, 'acme', open)).not.toThrow()
})

describe('account operations', () => {
  const rows: [string, Actor, string | undefined, string | undefined][] = [
    // Whom, what requireAccount('write') says, what requireInstanceAdmin says.
    ['anonymous', anonymous, 'unauthenticated', 'unauthenticated'],
    ['a session', user(), undefined, 'forbidden'],
    ['a write token', user({ auth: token(['write']) }), undefined, 'forbidden'],
    ['a read token', user({ auth: token(['read']) }), 'insufficient-scope', 'forbidden'],
    ['a fenced token', user({ auth: token(['write'], { namespaces: ['x'] }) }), 'forbidden', 'forbidden'],
    ['an admin’s session', user({ isAdmin: true }), undefined, undefined],
    [
      'an admin’s write token',
      user({ isAdmin: true, auth: token(['write']) }),
      undefined,
      'insufficient-scope',
    ],
    [
      'an admin’s admin token',
      user({ isAdmin: true, auth: token(['admin']) }),
      'insufficient-scope',
      undefined,
    ],
    [
      'an admin’s fenced admin token',
      user({ isAdmin: true, auth: token(['admin', 'write'], { namespaces: ['x'] }) }),
      'forbidden',
      'forbidden',
    ],
  ]
  const codeOf = (ask: () => unknown): string | undefined => {
    try {
      ask()
      return undefined
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  test.each(rows)('by %s', (_, actor, account, admin) => {
    expect(codeOf(() => requireAccount(actor, 'write'))).toBe(account)
    expect(codeOf(() => requireInstanceAdmin(actor))).toBe(admin)
    expect(codeOf(() => requireUser(actor))).toBe(actor.kind === 'user' ? undefined : 'unauthenticated')
  })
})
