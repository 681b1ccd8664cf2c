import { expect, test } from 'vitest'
import { anonymous, system, type Actor, type UserActor } from './actor.ts'
import { decide, decideNamespace, type RepoAction, type RepoFacts } from './can.ts'
import type { Role } from '../../../shared/vocabulary.ts'

const acme = { id: 'ns-acme', name: 'acme', kind: 'org' } as const

function user(role: Role | null, more: Partial<UserActor> = {}): UserActor {
  const roles = new Map(role ? [[acme.id as string, role]] : [])
  const auth = { kind: 'session', sessionId: 's', expiresAt: new Date(0), confirmedAt: new Date(0) } as const
  return { kind: 'user', id: 'u', username: 'ada', isAdmin: false, roles, auth, ...more }
}

test('the content of a mirror changes with its upstream alone; all else is as of any repo', () => {
  const repo: RepoFacts = {
    type: 'model',
    namespaceId: acme.id,
    ns: 'acme',
    name: 'bert',
    visibility: 'public',
    gated: null,
    isDeleted: false,
    isDisabled: false,
    isMirror: true,
    collaboratorRole: null,
    accessStatus: null,
  }
  const asked = (actor: Actor, action: RepoAction) => decide(actor, action, repo, { anonymousRead: true })
  for (const action of ['repo.commit', 'repo.merge', 'repo.open-pull-request'] as const) {
    expect(asked(user('admin'), action)).toBe('mirror')
    expect(asked(user(null, { isAdmin: true }), action)).toBe('mirror')
    expect(asked(system, action)).toBe('ok')
  }
  expect(asked(anonymous, 'repo.commit')).toBe('unauthenticated')
  expect(asked(user(null), 'repo.commit')).toBe('forbidden')
  for (const action of ['repo.files', 'repo.like', 'repo.discuss', 'repo.settings', 'repo.delete'] as const)
    expect(asked(user('admin'), action)).toBe('ok')
})

test('a namespace of mirrors takes nothing else, not even from an admin of the instance', () => {
  const space = { ...acme, mirror_of: 'huggingface' }
  const admin = user(null, { isAdmin: true })
  for (const action of [
    'namespace.create-repo',
    'namespace.receive-repo',
    'namespace.members.set',
  ] as const) {
    expect(decideNamespace(admin, action, space)).toBe('forbidden')
    expect(decideNamespace(system, action, space)).toBe('ok')
  }
  expect(decideNamespace(admin, 'namespace.edit', space)).toBe('ok')
})
