import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../../ui/loaded.tsx'
import { LookForm } from './look-form.tsx'
import { setLookQuery } from './queries.ts'

/** `/admin/appearance`: name, logo, welcome and announcement of the server. */
export function Component() {
  const query = useQuery(setLookQuery)
  return (
    <>
      <Title order={1} mb="xs">
        Appearance
      </Title>
      <Text size="sm" mb="md">
        Everyone who opens a page of this server sees what stands here, signed in or not.
      </Text>
      <Loaded query={query}>{(look) => <LookForm look={look} />}</Loaded>
    </>
  )
}
