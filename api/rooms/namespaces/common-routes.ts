// What the operations on namespaces have in common.
import { z } from '../../core/http/contract.ts'

const param = (name: string, example: string) => z.string().openapi({ param: { name, in: 'path' }, example })

export const Ns = z.object({ ns: param('ns', 'acme') })
export const User = z.object({ user: param('user', 'ada') })
export const NsAndUser = Ns.extend(User.shape)

export const tags = ['namespaces']

/** Problems of reads. */
export const seen = [
  'unauthenticated',
  'bad-credentials',
  'token-expired',
  'insufficient-scope',
  'not-found',
] as const
/** Problems of changes. */
export const changed = [...seen, 'forbidden', 'csrf-token-invalid'] as const
