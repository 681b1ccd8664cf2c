import { NativeSelect } from '@mantine/core'
import type { ChangeEventHandler } from 'react'
import { visibilities, type Visibility } from '../../shared/vocabulary.ts'

const labels: Record<Visibility, string> = { public: 'Public', private: 'Private' }
const choices = visibilities.map((value) => ({ value, label: labels[value] }))

/** What a namespace gives repos that clients create without saying. */
export function DefaultVisibility(props: {
  value?: string
  onChange?: ChangeEventHandler<HTMLSelectElement>
}) {
  return (
    <NativeSelect
      label="Visibility of new repos from clients"
      description="Applies when a client does not say, for example push_to_hub without private=True."
      data={choices}
      {...props}
    />
  )
}
