import { Anchor, Badge, Group, Stack, Table, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { catalogue } from '../../../shared/problems.ts'
import { pages } from '../../lib/pages.ts'
import { PageFrame } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** `/problems/{code}`: what a problem means and how to fix it; the page that a problem document's `type` names. */
export function Component() {
  const { code = '' } = useParams()
  const problem = Object.hasOwn(catalogue, code) ? catalogue[code as keyof typeof catalogue] : undefined
  if (!problem)
    return (
      <PageFrame title={code} width={760}>
        <EmptyState picture="search" title="No problem has this code" />
        <AllProblems />
      </PageFrame>
    )
  return (
    <PageFrame title={problem.title} width={760}>
      <Stack gap="md">
        <Group gap="xs">
          <Text ff="monospace">{code}</Text>
          <Badge variant="default">{problem.status}</Badge>
        </Group>
        <Text>{problem.fix}</Text>
        <AllProblems />
      </Stack>
    </PageFrame>
  )
}

function AllProblems() {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Status</Table.Th>
          <Table.Th>Code</Table.Th>
          <Table.Th>Meaning</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(catalogue).map(([code, problem]) => (
          <Table.Tr key={code}>
            <Table.Td>{problem.status}</Table.Td>
            <Table.Td>
              <Anchor component={Link} to={pages.problem(code)} ff="monospace" size="sm">
                {code}
              </Anchor>
            </Table.Td>
            <Table.Td>{problem.title}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
