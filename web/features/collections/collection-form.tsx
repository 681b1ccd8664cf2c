import {
  Alert,
  Button,
  ColorSwatch,
  Group,
  NativeSelect,
  Radio,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import {
  collectionThemes,
  limits,
  type CollectionTheme,
  type Visibility,
} from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { colourOf } from './words.ts'

/** What a person says of a collection. */
export type Values = {
  ns: string
  title: string
  description: string
  visibility: Visibility
  theme: CollectionTheme | ''
}

interface CollectionFormProps {
  initial: Values
  /** Namespaces to choose from; left out where it has one. */
  owners?: string[]
  action: string
  isPending: boolean
  /** Calls `onFault` with what was refused, or `markSaved` before it goes elsewhere. */
  onSave: (values: Values, onFault: (error: unknown) => void, markSaved: () => void) => void
}

/** Title, description, who sees it, colour: of a collection to be, or of one that is. */
export function CollectionForm({ initial, owners, action, isPending, onSave }: CollectionFormProps) {
  const form = useForm<Values>({ initialValues: initial })
  const [fault, setFault] = useState<string>()
  const markSaved = useUnsaved(form.isDirty())
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    onSave(values, (error) => setFault(showProblem(form, error)), markSaved)
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {fault && <Alert color="danger">{fault}</Alert>}
        {owners && <NativeSelect label="Owner" data={owners} {...form.getInputProps('ns')} />}
        <TextInput
          label="Title"
          required
          maxLength={limits.collectionTitle}
          autoComplete="off"
          {...form.getInputProps('title')}
        />
        <Textarea
          label="Description"
          description={`At most ${limits.collectionDescription} characters.`}
          maxLength={limits.collectionDescription}
          autosize
          minRows={2}
          {...form.getInputProps('description')}
        />
        <div>
          <SegmentedControl
            aria-label="Visibility"
            data={visibilityChoices}
            {...form.getInputProps('visibility')}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {form.values.visibility === 'public'
              ? 'Everyone who may use this server can see it; private repos in it stay hidden.'
              : 'Only its owner, or the members of the organisation, can see it.'}
          </Text>
        </div>
        <ThemePicker {...form.getInputProps('theme')} />
        <Button type="submit" w="fit-content" loading={isPending}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}

const visibilityChoices = [
  { value: 'private', label: 'Private' },
  { value: 'public', label: 'Public' },
]

function ThemePicker(props: { value?: string; onChange?: (value: string) => void }) {
  return (
    <Radio.Group label="Colour of the cover" {...props}>
      <Group gap="md" mt={6}>
        <Radio value="" label="none" />
        {collectionThemes.map((theme) => (
          <Radio
            key={theme}
            value={theme}
            label={
              <Group gap={6} wrap="nowrap" component="span">
                <ColorSwatch
                  component="span"
                  color={colourOf(theme)}
                  size={14}
                  withShadow={false}
                  aria-hidden
                />
                {theme}
              </Group>
            }
          />
        ))}
      </Group>
    </Radio.Group>
  )
}
