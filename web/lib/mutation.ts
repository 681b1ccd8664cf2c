import { useMutation as useAnyMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { withFreshSignIn } from './step-up.ts'

/**
 * A change that the server is asked for. Asked for again while it is under way, as by the second press of a double click,
 * which comes before a button can be switched off, it is sent once. Where it needs a fresh sign-in, the person confirms who
 * they are, and it is repeated.
 */
export function useMutation<D = unknown, V = void, C = unknown>({
  mutationFn,
  ...options
}: UseMutationOptions<D, Error, V, C> & { mutationFn: (input: V) => Promise<D> }) {
  const [underWay] = useState(() => new Map<string, Promise<D>>())
  const once = (input: V) => {
    const key = String(JSON.stringify(input))
    const known = underWay.get(key)
    if (known) return known
    const begun = withFreshSignIn(() => mutationFn(input)).finally(() => underWay.delete(key))
    underWay.set(key, begun)
    return begun
  }
  return useAnyMutation<D, Error, V, C>({ ...options, mutationFn: once })
}
