import { Table, Text } from '@mantine/core'
import { IconKey, IconUser } from '@tabler/icons-react'
import { Suspense } from 'react'
import { meQuery } from '../../lib/session.ts'
import type { Me } from '../../lib/types.ts'
import { Afterwards } from '../../ui/afterwards.tsx'
import { Announced } from '../../ui/announced.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { Logo } from '../../ui/logo.tsx'
import { PlaceLinks } from '../../ui/place-links.tsx'
import { Section } from '../../ui/section.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import { Welcome } from '../../ui/welcome.tsx'
import { Given } from './given.tsx'
import { endless, Row, Sample, unbroken } from './sample.tsx'

const nothing = () => undefined
const me = { id: 'me', username: 'you' } as Me

/** What frames a page: its server, its places, who sees it. */
export function PlaceParts() {
  return (
    <>
      <Section title="Server">
        {(['info', 'warning'] as const).map((kind) => (
          <Sample key={kind} state={`announcement: ${kind}`}>
            <Announced announcement={{ kind, text: 'The server restarts at noon.' }} onDismiss={nothing} />
          </Sample>
        ))}
        <Sample state="announcement, long, cannot be dismissed">
          <Announced announcement={{ kind: 'info', text: `${unbroken} ${endless}` }} />
        </Sample>
        <Row>
          {[24, 40, 56].map((size) => (
            <Sample key={size} state={`logo, ${size}`}>
              <Logo size={size} />
            </Sample>
          ))}
        </Row>
        <Sample state="welcome">
          <Suspense fallback={<ListSkeleton rows={1} />}>
            <Welcome text="**Welcome.** Read [how to begin](docs/api)." />
          </Suspense>
        </Sample>
      </Section>

      <Section title="Places">
        {[false, true].map((isColumn) => (
          <Sample
            key={String(isColumn)}
            state={isColumn ? 'below each other where there is room' : 'one line'}
          >
            <PlaceLinks
              label={isColumn ? 'Places below each other' : 'Places in a line'}
              isColumn={isColumn}
              places={[
                ['/design', 'Here', IconUser],
                ['/design/keys', 'Keys', IconKey],
                ['/design/long', endless.slice(0, 60)],
              ]}
            />
          </Sample>
        ))}
      </Section>

      <Section title="Rows in a frame">
        <FramedRows columns={['Name', 'Note']}>
          {['laptop', unbroken].map((name) => (
            <Table.Tr key={name}>
              <Table.Td data-label="Name" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Td>
              <Table.Td data-label="Note">a note</Table.Td>
            </Table.Tr>
          ))}
        </FramedRows>
      </Section>

      <Section title="For people with an account">
        <Sample state="signed in">
          <Given known={[[meQuery.queryKey, me]]}>
            <SignedIn>{({ username }) => <Text>Seen by {username}</Text>}</SignedIn>
          </Given>
        </Sample>
        <Sample state="anonymous">
          <Given known={[[meQuery.queryKey, null]]}>
            <SignedIn>{() => null}</SignedIn>
          </Given>
        </Sample>
        <Sample state="drawn after the press that brought it">
          <Afterwards>
            <Text>What may wait</Text>
          </Afterwards>
        </Sample>
      </Section>
    </>
  )
}
