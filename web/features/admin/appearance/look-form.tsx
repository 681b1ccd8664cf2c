import {
  Alert,
  Button,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { limits } from '../../../../shared/vocabulary.ts'
import { leadToFaults, showProblem } from '../../../lib/form-errors.ts'
import type { Look } from '../../../lib/look.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { Section } from '../../../ui/section.tsx'
import { LogoField } from './logo-field.tsx'
import { Preview } from './preview.tsx'
import { useUpdateLook } from './queries.ts'
import { ResetDialog } from './reset-dialog.tsx'
import { updateOf, welcomeFault, wordsOf, type Words } from './words.ts'

const kinds = [
  { value: 'info', label: 'Notice' },
  { value: 'warning', label: 'Warning' },
]

/** Sets the look; a preview beside it shows what is written. */
export function LookForm({ look }: { look: Look }) {
  const form = useForm<Words>({ initialValues: wordsOf(look), validate: { welcome: welcomeFault } })
  const update = useUpdateLook()
  const [fault, setFault] = useState<string>()
  const [openedAt] = useState(() => new Date())
  const [isResetting, setIsResetting] = useState(false)
  useUnsaved(form.isDirty())
  const show = (saved: Look) => {
    const values = wordsOf(saved)
    form.setValues(values)
    form.resetDirty(values)
  }
  const submit = form.onSubmit((words) => {
    setFault(undefined)
    update.mutate(updateOf(words), {
      onSuccess: (saved) => {
        show(saved)
        notifyDone('Appearance saved')
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  }, leadToFaults(form))
  const { ends_at, announcement } = form.values
  const hasEnded = announcement !== '' && ends_at !== '' && new Date(ends_at) <= openedAt
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {fault && (
            <Alert color="danger" role="alert">
              {fault}
            </Alert>
          )}
          <Section title="Name and logo">
            <TextInput
              label="Name"
              description={`At most ${limits.instanceNameLength} characters. Empty: Arsenal`}
              placeholder="Arsenal"
              maxLength={limits.instanceNameLength}
              {...form.getInputProps('name')}
            />
            <LogoField hasLogo={look.logo_url !== undefined} />
          </Section>
          <Section title="Welcome" note="For visitors on the first page, and where people sign in.">
            <Textarea
              label="Welcome in Markdown"
              description="At most 4 KiB. Empty: the words of Arsenal"
              autosize
              minRows={5}
              maxRows={20}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              {...form.getInputProps('welcome')}
            />
          </Section>
          <Section
            title="Announcement"
            note="Stands above all pages. People can dismiss it in their browser."
          >
            <TextInput
              label="Text"
              description={`One line of at most ${limits.announcementLength} characters. Empty: none`}
              maxLength={limits.announcementLength}
              {...form.getInputProps('announcement')}
            />
            <SegmentedControl
              w="fit-content"
              aria-label="Kind of announcement"
              data={kinds}
              {...form.getInputProps('kind')}
            />
            <TextInput
              type="datetime-local"
              label="Shown until"
              description="In your time zone. Empty: until it is taken away"
              {...form.getInputProps('ends_at')}
            />
            {hasEnded && <Text size="sm">This announcement has ended: pages no longer show it.</Text>}
          </Section>
          <Group gap="xs">
            <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
            <Button variant="default" onClick={() => setIsResetting(true)}>
              Reset to defaults
            </Button>
          </Group>
        </Stack>
      </form>
      <Preview words={form.values} />
      {isResetting && <ResetDialog onClose={() => setIsResetting(false)} onReset={show} />}
    </SimpleGrid>
  )
}
