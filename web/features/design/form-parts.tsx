import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Radio,
  SegmentedControl,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconFile, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import type { CommitChoice } from '../../lib/commit-ways.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Commands } from '../../ui/commands/commands.tsx'
import { CommitTarget } from '../../ui/commit-target.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { DefaultVisibility } from '../../ui/default-visibility.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { MovingRows } from '../../ui/moving-rows.tsx'
import { Grip, MoveButtons } from '../../ui/order-controls.tsx'
import { Section } from '../../ui/section.tsx'
import { endless, Row, Sample, unbroken } from './sample.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

const nothing = () => undefined
const both: CommitChoice = {
  ways: ['direct', 'pull_request'],
  way: 'direct',
  choose: nothing,
  isDraft: false,
  setDraft: nothing,
}
const grip = {
  onPointerDown: nothing,
  onPointerMove: nothing,
  onPointerUp: nothing,
  onPointerCancel: nothing,
}

/** Two rows that change places. */
function TwoRows() {
  const [names, setNames] = useState(['one', 'two'])
  return (
    <MovingRows as="ol" style={{ listStyle: 'none', padding: 0, maxWidth: 240 }}>
      {names.map((name, place) => (
        <li key={name}>
          {name}{' '}
          <MoveButtons
            name={name}
            isFirst={place === 0}
            isLast={place === 1}
            onMove={() => setNames(names.toReversed())}
          />
        </li>
      ))}
    </MovingRows>
  )
}

/** What is pressed, chosen and written. */
export function FormParts() {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Section title="Buttons">
        {(['filled', 'default', 'subtle'] as const).map((variant) => (
          <Sample key={variant} state={variant}>
            <Group>
              <Button variant={variant}>Save</Button>
              <Button variant={variant} color="danger">
                Delete
              </Button>
              <Button variant={variant} disabled>
                Disabled
              </Button>
              <Button variant={variant} loading>
                Loading
              </Button>
              <Button variant={variant} size="xs">
                Small
              </Button>
            </Group>
          </Sample>
        ))}
        <Sample state="end of a form">
          <FormActions isPending={false} onClose={nothing}>
            Create
          </FormActions>
        </Sample>
        <Sample state="end of a form that deletes, not yet confirmed">
          <FormActions isPending={false} isDisabled isDanger onClose={nothing}>
            Delete
          </FormActions>
        </Sample>
        <Sample state="asks for a name">
          <Button variant="default" onClick={() => setIsAsking(true)}>
            Open the dialog
          </Button>
        </Sample>
        {isAsking && (
          <ConfirmName
            title="Delete this model"
            name="you/model"
            action="Delete model"
            isPending={false}
            onConfirm={() => setIsAsking(false)}
            onClose={() => setIsAsking(false)}
          >
            {endless}
          </ConfirmName>
        )}
      </Section>

      <Section title="Fields">
        <Stack maw={480}>
          <TextInput label="Text" description="What it is for" placeholder="Empty" />
          <TextInput
            label="Text with an error"
            required
            defaultValue="settings"
            error="this word is reserved"
          />
          <TextInput label="Disabled text" disabled defaultValue={unbroken} />
          <PasswordInput label="Password" autoComplete="off" defaultValue="secret" />
          <Textarea label="Long text" rows={4} defaultValue={endless} />
          <DefaultVisibility />
          <NativeSelect label="Disabled choice" disabled data={['One']} />
          <Checkbox label="Ticked" defaultChecked />
          <Checkbox label="Disabled" disabled />
          <Switch label="On" defaultChecked />
          <Radio label="Chosen" name="design-radio" defaultChecked />
          <SegmentedControl aria-label="One of a few" data={['Private', 'Public']} />
          <CommitTarget rev="main" choice={both} />
          <CommitTarget rev="main" choice={both} isDisabled />
          <CommitTarget rev="main" choice={{ ...both, ways: ['pull_request'], way: 'pull_request' }} />
        </Stack>
      </Section>

      <Section title="Notes">
        {['accent', 'safe', 'caution', 'danger', 'pending', 'gray'].map((color) => (
          <Alert key={color} color={color} title={`A note in ${color}`}>
            {endless}
          </Alert>
        ))}
      </Section>

      <Section title="Commands">
        <CommandLine command="git clone http://localhost:8080/you/model" label="In a terminal" />
        <CommandLine command={`hf download ${unbroken}`} name="Long command" />
        <CommandLine command={`hf_asl_${unbroken}`} name="Wrapped secret" wraps />
        <Commands of={{ kind: 'sign-in' }} label="In every tool" />
      </Section>

      <Section title="Tabs and order">
        <LinkTabs
          label="Tabs"
          current="files"
          tabs={[
            { id: 'files', to: '#files', label: 'Files', icon: <IconFile size={16} /> },
            { id: 'history', to: '#history', label: 'History', icon: <IconHistory size={16} /> },
          ]}
        />
        <Sample state="rows that slide to their place">
          <TwoRows />
        </Sample>
        <Row>
          <Sample state="first">
            <Grip {...grip} />
            <MoveButtons name="the first" isFirst isLast={false} onMove={nothing} />
          </Sample>
          <Sample state="last">
            <Grip {...grip} />
            <MoveButtons name="the last" isFirst={false} isLast onMove={nothing} />
          </Sample>
        </Row>
      </Section>
    </>
  )
}
