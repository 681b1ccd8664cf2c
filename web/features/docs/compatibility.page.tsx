import { List, SimpleGrid, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { PageFrame } from '../../ui/page.tsx'
import recorded from './compatibility.gen.json'

/** What the client tests recorded; a cell is `passed`, `failed` or the letter of a reason. */
interface Compatibility {
  clients: string[]
  reasons: Record<string, string>
  rows: Row[]
}
interface Row {
  row: string
  purpose: string
  isSupported: boolean
  cells: string[]
}

const { clients, reasons, rows }: Compatibility = recorded
const supported = rows.filter(({ isSupported }) => isSupported)
const refused = rows.filter(({ isSupported }) => !isSupported)
const green = supported.filter(({ cells }) => cells.includes('passed') && !cells.includes('failed'))

/** `/docs/compatibility`: which client calls which row of the hub's protocol, as the tests of this version recorded it. */
export function Component() {
  return (
    <PageFrame title="Compatibility">
      <Stack gap="xl">
        <Text>
          {green.length} of {supported.length} rows of the hub protocol are served, each proven by every
          client that calls it. The tests of this version checked what came back, and the log of the server
          what was called.
        </Text>
        <Legend />
        <Rows title="Served" rows={supported} />
        <Rows title="Not served, and refused in a way that clients can explain" rows={refused} />
      </Stack>
    </PageFrame>
  )
}

function Legend() {
  return (
    <section aria-label="Legend">
      <Title order={2} size="h3" mb="xs">
        Clients and signs
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <List type="ordered" size="sm">
          {clients.map((client) => (
            <List.Item key={client}>{client}</List.Item>
          ))}
        </List>
        <List size="sm">
          <List.Item>✓: a test called it with this client and checked what came back.</List.Item>
          <List.Item>✗: such a test failed.</List.Item>
          {Object.entries(reasons).map(([letter, reason]) => (
            <List.Item key={letter}>
              {letter}: {reason}
            </List.Item>
          ))}
        </List>
      </SimpleGrid>
    </section>
  )
}

function Rows({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      <Table.ScrollContainer minWidth={900} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table striped>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Row</Table.Th>
              {clients.map((client, i) => (
                <Table.Th key={client} title={client} ta="center">
                  <VisuallyHidden>{client}</VisuallyHidden>
                  <span aria-hidden>{i + 1}</span>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <RowOfTable key={row.row} {...row} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

function RowOfTable({ row, purpose, cells }: Row) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <Text size="sm" {...(row.includes('/') ? { ff: 'monospace' } : {})}>
          {row}
        </Text>
        <Text size="xs" c="dimmed">
          {purpose}
        </Text>
      </Table.Th>
      {cells.map((cell, i) => (
        <Cell key={clients[i]} cell={cell} />
      ))}
    </Table.Tr>
  )
}

const signs: Record<string, string> = { passed: '✓', failed: '✗' }

function Cell({ cell }: { cell: string }) {
  const meaning = reasons[cell] ?? cell
  return (
    <Table.Td ta="center" title={meaning}>
      <VisuallyHidden>{meaning}</VisuallyHidden>
      <Text span aria-hidden size="sm" {...(cell in reasons ? { c: 'dimmed' } : { fw: 700 })}>
        {signs[cell] ?? cell}
      </Text>
    </Table.Td>
  )
}
