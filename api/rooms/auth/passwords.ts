import type { Argon2id } from 'oslo/password'
import { limits } from '../../../shared/vocabulary.ts'
import { Limiter } from '../../platform/flow/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { readPolicies } from './policies/policies.ts'
import type { Reader } from './queries.ts'
import { containsName } from './secrets.ts'
import { scoreOf } from './strength.ts'

// native-api.md §5: Argon2id with 19 MiB, two passes, one lane.
const cost = { memorySize: 19 * 1024, iterations: 2, parallelism: 1 }

let hasher: Promise<Argon2id> | undefined

// Loads native code of several algorithms, which a server may never need.
const argon2id = () => (hasher ??= import('oslo/password').then(({ Argon2id }) => new Argon2id(cost)))

// Hashes at once (reliability.md §3), and how many may wait before more are turned away.
const slots = 2
const longestQueue = 200

/**
 * The hash of nothing anybody knows, at the same cost: checked for users who do not exist, so that an answer's time
 * does not tell whether they do.
 */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$xMoTo+IhHoiysV0ipaixqQ$tEhBijtSzb8cdxEwKTeCUG3pewzLGAoPARL3u4dE4E0'

const limiter = new Limiter({ atOnce: slots, maxWaiting: longestQueue })

/** The Argon2id hash of a password in PHC form. At most two run at once; Problem `temporarily-unavailable` past a long queue. */
export function hashPassword(password: string): Promise<string> {
  return limiter.run('', async () => (await argon2id()).hash(password))
}

/** Whether `password` belongs to `hash`. Without a hash it takes as long and answers no. */
export function verifyPassword(hash: string | null | undefined, password: string): Promise<boolean> {
  return limiter.run('', async () => {
    const isRight = await (await argon2id()).verify(hash ?? nobodysHash, password)
    return isRight && hash != null
  })
}

/** Whether a hash was made at a lower cost than today's, so that the next sign-in should replace it. */
export function isOutdated(hash: string): boolean {
  const [, memory, passes] = /\$m=(\d+),t=(\d+),/.exec(hash) ?? []
  return Number(memory ?? 0) < cost.memorySize || Number(passes ?? 0) < cost.iterations
}

// native-api.md §5.
/** The score that every password has, whatever the policy says. */
const leastScore = 3

/** A password that is about to be set, and where it stands in the request. */
interface ChosenPassword {
  field: string
  password: string
  username: string
}

/**
 * Throws Problem `weak-password` unless the password meets the policy of native-api.md §5, and the score that admins
 * demand (`instance_policies`).
 */
export async function checkPasswordPolicy(
  db: Reader,
  { field, password, username }: ChosenPassword,
): Promise<void> {
  const fault = faultOf(password, username) ?? (await weakness(db, password, username))
  if (fault === undefined) return
  throw new Problem('weak-password', {
    detail: fault,
    errors: [{ field, code: 'weak-password', message: fault }],
  })
}

function faultOf(password: string, username: string): string | undefined {
  const { length } = [...password.normalize('NFKC')]
  if (length < limits.passwordMin) return `use at least ${limits.passwordMin} characters`
  if (length > limits.passwordMax) return `use at most ${limits.passwordMax} characters`
  return containsName(password, username) ? 'do not use your username in it' : undefined
}

async function weakness(db: Reader, password: string, username: string): Promise<string | undefined> {
  const score = await scoreOf({ password, personal: [username, 'arsenal'] })
  const { password_min_score } = await readPolicies(db)
  return score < Math.max(leastScore, password_min_score ?? 0)
    ? 'this is easy to guess; use several uncommon words'
    : undefined
}
