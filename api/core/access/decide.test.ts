import { describe, expect, test } from 'vitest'
import type { Fence, Role, Scope } from '../../../shared/vocabulary.ts'
import {
  anonymous,
  decide,
  decideNamespace,
  decideProfile,
  system,
  type Actor,
  type Decision,
  type NamespaceAction,
  type RepoAction,
  type RepoFacts,
  type UserActor,
} from './index.ts'

const acme = { id: 'ns-acme', name: 'acme', kind: 'org' } as const

function user(role: Role | null, more: Partial<UserActor> = {}): UserActor {
  const roles = new Map<string, Role>([['ns-self', 'admin'], ...(role ? [[acme.id, role] as const] : [])])
  const auth = { kind: 'session', sessionId: 's', expiresAt: new Date(0), confirmedAt: new Date(0) } as const
  return { kind: 'user', id: 'u', username: 'ada', isAdmin: false, roles, auth, ...more }
}

function byToken(scopes: Scope[], fence: Fence | null = null): Pick<UserActor, 'auth'> {
  const auth = {
    kind: 'token',
    tokenId: 't',
    tokenName: 'n',
    scopes,
    fence,
    createdAt: new Date(0),
    expiresAt: null,
  } as const
  return { auth }
}

const inside: Fence = { repos: [{ type: 'model', ns: 'Acme', name: 'Bert' }] }
const outside: Fence = { repos: [{ type: 'dataset', ns: 'acme', name: 'bert' }], namespaces: ['acme-2'] }

// Every kind of caller, with what the repo is to them beside their roles.
const callers: Record<string, { actor: Actor; repo?: Partial<RepoFacts> }> = {
  anonymous: { actor: anonymous },
  stranger: { actor: user(null) },
  'stranger, read token': { actor: user(null, byToken(['read'])) },
  'org read': { actor: user('read') },
  'org write': { actor: user('write') },
  'org write, write token': { actor: user('write', byToken(['write'])) },
  'org admin': { actor: user('admin') },
  'org admin, read token': { actor: user('admin', byToken(['read'])) },
  'org admin, admin-only token': { actor: user('admin', byToken(['admin'])) },
  'collaborator read': { actor: user(null), repo: { collaboratorRole: 'read' } },
  'collaborator write': { actor: user(null), repo: { collaboratorRole: 'write' } },
  'collaborator admin': { actor: user('read'), repo: { collaboratorRole: 'admin' } },
  'applicant pending': { actor: user(null), repo: { accessStatus: 'pending' } },
  'applicant rejected': { actor: user(null), repo: { accessStatus: 'rejected' } },
  'applicant accepted': { actor: user(null), repo: { accessStatus: 'accepted' } },
  'accepted, fenced out': {
    actor: user(null, byToken(['write'], outside)),
    repo: { accessStatus: 'accepted' },
  },
  'org admin, fenced in': { actor: user('admin', byToken(['write'], inside)) },
  'org admin, fenced by namespace': { actor: user('admin', byToken(['write'], { namespaces: ['ACME'] })) },
  'org admin, fenced out': { actor: user('admin', byToken(['write'], outside)) },
  'instance admin': { actor: user(null, { isAdmin: true }) },
  'instance admin, read token': { actor: user(null, { isAdmin: true, ...byToken(['read']) }) },
  'instance admin, fenced out': { actor: user(null, { isAdmin: true, ...byToken(['write'], outside) }) },
  system: { actor: system },
}

const columns = [
  'repo.get',
  'repo.files',
  'repo.zip',
  'repo.like',
  'repo.commit',
  'repo.settings',
  'repo.restore',
] as const
// Actions of the same rule as one of the columns.
const twins: Partial<Record<RepoAction, RepoAction[]>> = {
  'repo.zip': ['repo.compare'],
  'repo.like': ['repo.watch', 'repo.request-access', 'repo.discuss'],
  'repo.commit': ['repo.merge'],
  'repo.settings': [
    ...(['repo.collaborators.set', 'repo.access-requests.decide', 'repo.rename', 'repo.transfer'] as const),
    ...(['repo.force-push', 'repo.delete', 'repo.hide-comments'] as const),
  ],
}

const twinsWhileEnabled: typeof twins = {
  'repo.like': ['repo.open-pull-request'],
  'repo.commit': ['repo.edit-discussions'],
}

const letters: Record<Decision, string> = {
  ok: '.',
  hidden: 'H',
  unauthenticated: 'A',
  disabled: 'D',
  mirror: 'M',
  gated: 'G',
  scope: 'S',
  forbidden: 'F',
}

const repos = {
  public: {},
  private: { visibility: 'private' },
  gated: { gated: 'manual' },
  'private gated': { visibility: 'private', gated: 'auto' },
  deleted: { isDeleted: true },
  disabled: { isDisabled: true },
  'of another organisation': { namespaceId: 'ns-other', ns: 'other' },
  'private of another organisation': { namespaceId: 'ns-other', ns: 'other', visibility: 'private' },
} satisfies Record<string, Partial<RepoFacts>>

function decisions(caller: keyof typeof callers, repo: keyof typeof repos, anonymousRead: boolean): string {
  const { actor, repo: mine } = callers[caller] ?? { actor: anonymous }
  const facts: RepoFacts = {
    ...({
      type: 'model',
      namespaceId: acme.id,
      ns: 'acme',
      name: 'bert',
      visibility: 'public',
    } as const),
    gated: null,
    isDeleted: false,
    isDisabled: false,
    isMirror: false,
    collaboratorRole: null,
    accessStatus: null,
    ...mine,
    ...repos[repo],
  }
  return columns
    .map((action) => {
      const decision = decide(actor, action, facts, { anonymousRead })
      const same = [...(twins[action] ?? []), ...(facts.isDisabled ? [] : (twinsWhileEnabled[action] ?? []))]
      for (const twin of same) expect(decide(actor, twin, facts, { anonymousRead })).toBe(decision)
      // A deleted repo has a page for its admins, and nothing below it.
      if (action === 'repo.get')
        expect(decide(actor, 'repo.read', facts, { anonymousRead })).toBe(
          facts.isDeleted ? 'hidden' : decision,
        )
      return letters[decision]
    })
    .join('')
}

type Table = Partial<Record<keyof typeof repos, string>>

// Columns: get, files, zip, like, commit, settings, restore.
// . ok · H hidden · A sign in · D disabled · G gated · S scope · F forbidden
const hidden = 'HHHHHHH'
const reader = '....FFF'
const writer = '.....FF'
const all = '.......'
const bin = '.HHHHH.'
const strangers: Table = {
  public: reader,
  private: hidden,
  gated: '.GG.FFF',
  'private gated': hidden,
  deleted: hidden,
  disabled: '.DD.FFF',
}
const admins: Table = {
  public: all,
  private: all,
  gated: all,
  'private gated': all,
  deleted: bin,
  disabled: '.DD.D..',
}
const writers: Table = {
  public: writer,
  private: writer,
  gated: writer,
  'private gated': writer,
  deleted: hidden,
  disabled: '.DD.DFF',
}
const elsewhere: Table = { 'of another organisation': reader, 'private of another organisation': hidden }

const open: Record<string, Table> = {
  anonymous: {
    public: '..AAAAA',
    private: hidden,
    gated: '.GAAAAA',
    'private gated': hidden,
    deleted: hidden,
    disabled: '.DAAAAA',
  },
  stranger: { ...strangers, ...elsewhere },
  'stranger, read token': { ...strangers, public: '...SFFF', gated: '.GGSFFF', disabled: '.DDSFFF' },
  'org read': {
    public: reader,
    private: reader,
    gated: '.GG.FFF',
    'private gated': '.GG.FFF',
    deleted: hidden,
  },
  'org write': { ...writers, ...elsewhere },
  'org write, write token': writers,
  'org admin': { ...admins, ...elsewhere },
  'org admin, read token': { public: '...SSSS', private: '...SSSS', gated: '...SSSS', deleted: '.HHHHHS' },
  'org admin, admin-only token': {
    public: 'SSSSSSS',
    private: 'SSSSSSS',
    gated: 'SSSSSSS',
    deleted: 'SHHHHHS',
  },
  'collaborator read': { ...strangers, private: reader, 'private gated': '.GG.FFF' },
  'collaborator write': writers,
  'collaborator admin': admins,
  'applicant pending': strangers,
  'applicant rejected': strangers,
  'applicant accepted': { ...strangers, gated: reader },
  'accepted, fenced out': { public: '..FFFFF', gated: '.GFFFFF', private: hidden, deleted: hidden },
  'org admin, fenced in': admins,
  'org admin, fenced by namespace': admins,
  'org admin, fenced out': { public: '..FFFFF', gated: '.GFFFFF', private: hidden, deleted: hidden },
  'instance admin': {
    ...admins,
    'of another organisation': all,
    'private of another organisation': all,
    disabled: all,
  },
  'instance admin, read token': {
    public: '...SSSS',
    private: '...SSSS',
    gated: '...SSSS',
    deleted: '.HHHHHS',
    disabled: '...SSSS',
  },
  'instance admin, fenced out': {
    public: '..FFFFF',
    private: hidden,
    deleted: hidden,
    disabled: '.DFFFFF',
  },
  system: { ...admins, disabled: all },
}

// Without anonymous reading, outsiders see nothing: neither anonymous callers nor tokens outside their restriction.
const closed: Record<string, Table> = {
  ...open,
  anonymous: { public: hidden, private: hidden, gated: hidden, deleted: hidden },
  'accepted, fenced out': { public: hidden, gated: hidden, private: hidden, deleted: hidden },
  'org admin, fenced out': { public: hidden, gated: hidden, private: hidden, deleted: hidden },
  'instance admin, fenced out': { public: hidden, private: hidden, deleted: hidden },
}

describe.each([
  ['with anonymous reading', true, open],
  ['without anonymous reading', false, closed],
] as const)('what callers may do to a repo %s', (_, anonymousRead, table) => {
  test('every kind of caller has a row', () => {
    expect(Object.keys(table).toSorted()).toEqual(Object.keys(callers).toSorted())
  })

  test.each(Object.entries(table))('%s', (caller, expected) => {
    const found = Object.keys(expected).map((repo) => [
      repo,
      decisions(caller, repo as keyof typeof repos, anonymousRead),
    ])
    expect(Object.fromEntries(found)).toEqual(expected)
  })
})

test('only a read token of an admin opens the lists for admins', () => {
  const facts = {
    type: 'model',
    namespaceId: acme.id,
    ns: 'acme',
    name: 'bert',
    visibility: 'public',
    gated: null,
  } as const
  const repo = {
    ...facts,
    isDeleted: false,
    isDisabled: false,
    isMirror: false,
    collaboratorRole: null,
    accessStatus: null,
  }
  for (const action of ['repo.collaborators', 'repo.access-requests'] as const) {
    expect(decide(user('admin', byToken(['read'])), action, repo, { anonymousRead: true })).toBe('ok')
    expect(decide(user('write'), action, repo, { anonymousRead: true })).toBe('forbidden')
    expect(decide(anonymous, action, repo, { anonymousRead: true })).toBe('unauthenticated')
  }
})

test('the card of a gated repo is shown to readers, that of a disabled one only to instance admins', () => {
  const facts = {
    type: 'model',
    namespaceId: acme.id,
    ns: 'acme',
    name: 'bert',
    visibility: 'public',
  } as const
  const states = { isDeleted: false, isMirror: false, collaboratorRole: null, accessStatus: null }
  const gated = { ...facts, ...states, gated: 'manual', isDisabled: false } as const
  const disabled = { ...facts, ...states, gated: null, isDisabled: true } as const
  const card = (actor: Actor, repo: RepoFacts) => decide(actor, 'repo.card', repo, { anonymousRead: true })
  expect([anonymous, user(null), user('admin')].map((actor) => card(actor, gated))).toEqual([
    'ok',
    'ok',
    'ok',
  ])
  expect([anonymous, user(null), user('admin')].map((actor) => card(actor, disabled))).toEqual([
    'disabled',
    'disabled',
    'disabled',
  ])
  expect(card(user(null, { isAdmin: true }), disabled)).toBe('ok')
})

test('the webhooks of a deleted repo are there for its admins, a read token included', () => {
  const repo = {
    type: 'model',
    namespaceId: acme.id,
    ns: 'acme',
    name: 'bert',
    visibility: 'public',
    gated: null,
    isDeleted: true,
    isDisabled: false,
    isMirror: false,
    collaboratorRole: null,
    accessStatus: null,
  } as const
  const webhooks = (actor: Actor) => decide(actor, 'repo.webhooks', repo, { anonymousRead: true })
  expect(webhooks(user('admin'))).toBe('ok')
  expect(webhooks(user('admin', byToken(['read'])))).toBe('ok')
  expect(webhooks(user('write'))).toBe('hidden')
})

describe('what callers may do to a namespace', () => {
  const actions: NamespaceAction[] = [
    'namespace.create-repo',
    'namespace.receive-repo',
    'namespace.edit',
    'namespace.members.set',
    'namespace.edit-collections',
    'namespace.delete-collections',
    'namespace.see-storage',
  ]
  const rows: [string, Actor, string][] = [
    ['anonymous', anonymous, 'AAAAAAA'],
    ['stranger', user(null), 'FFFFFFF'],
    ['org read', user('read'), 'FFFFFF.'],
    ['org write', user('write'), '.FFF.F.'],
    ['org write, read token', user('write', byToken(['read'])), 'SFFFSF.'],
    ['org admin', user('admin'), '.......'],
    ['org admin, read token', user('admin', byToken(['read'])), 'SSSSSS.'],
    [
      'org admin, fenced to the namespace',
      user('admin', byToken(['write'], { namespaces: ['ACME'] })),
      '.......',
    ],
    ['org admin, fenced to one of its repos', user('admin', byToken(['write'], inside)), 'FFFFFFF'],
    ['instance admin', user(null, { isAdmin: true }), '.......'],
    ['system', system, '.......'],
  ]
  test.each(rows)('%s', (_, actor, expected) => {
    expect(actions.map((action) => letters[decideNamespace(actor, action, acme)]).join('')).toBe(expected)
  })
})

describe('who sees the profile of a namespace', () => {
  // First without, then with anonymous reading.
  const rows: [string, Actor, Decision, Decision][] = [
    ['anonymous', anonymous, 'unauthenticated', 'ok'],
    ['anybody signed in', user(null), 'ok', 'ok'],
    ['a token without the scope read', user(null, byToken(['admin'])), 'scope', 'scope'],
    ['a token fenced to one of its repos', user(null, byToken(['read'], inside)), 'ok', 'ok'],
    ['a token fenced elsewhere', user('admin', byToken(['read'], { namespaces: ['other'] })), 'hidden', 'ok'],
    ['system', system, 'ok', 'ok'],
  ]
  test.each(rows)('%s', (_, actor, without, having) => {
    expect(decideProfile(actor, 'acme', { anonymousRead: false })).toBe(without)
    expect(decideProfile(actor, 'acme', { anonymousRead: true })).toBe(having)
  })
})
