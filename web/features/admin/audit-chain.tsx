import { Alert, Button, Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatExact } from '../../lib/format.ts'
import { ErrorState } from '../../ui/states.tsx'
import { chainQuery, type AuditChain } from './queries.ts'

/** Checks the hash chain of the audit log when asked to, since that takes seconds on a large log: a button, and the result. */
export function useChainCheck() {
  const [isAsked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...chainQuery, enabled: isAsked })
  const button = (
    <Button
      variant="default"
      loading={isFetching}
      onClick={() => (isAsked ? void refetch() : setAsked(true))}
    >
      Verify the log
    </Button>
  )
  const failure = error && <ErrorState error={error} />
  const result = isFetching ? undefined : (failure ?? (data && <ChainResult chain={data} />))
  return { button, result }
}

function ChainResult({ chain }: { chain: AuditChain }) {
  const { is_whole, checked, unsealed, head, faults, fault_count } = chain
  return (
    <Alert
      role="status"
      mb="md"
      color={is_whole ? 'safe' : 'danger'}
      title={
        is_whole
          ? 'The log is whole'
          : `The log has ${formatExact(fault_count)} ${fault_count === 1 ? 'fault' : 'faults'}`
      }
    >
      <Text size="sm">
        {formatExact(checked)} events checked, {formatExact(unsealed)} new ones are sealed within five
        minutes.
      </Text>
      {faults.map(({ kind, seq, id }) => (
        <Text key={`${seq ?? ''}${id ?? ''}`} size="sm">
          {kind}: {seq !== undefined && `number ${seq} `}
          {id}
        </Text>
      ))}
      {head && (
        <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          Newest seal:{' '}
          <Code>
            {head.seq}:{head.hash}
          </Code>
          . Keep it elsewhere: it proves every event before it.
        </Text>
      )}
    </Alert>
  )
}
