import { Autocomplete } from '@mantine/core'

/** Licences as cards name them, the most used first; any other identifier may be typed. */
const licences = [
  'apache-2.0',
  'mit',
  'openrail',
  'cc-by-4.0',
  'cc-by-sa-4.0',
  'cc-by-nc-4.0',
  'cc0-1.0',
  'bsd-3-clause',
  'gpl-3.0',
  'agpl-3.0',
  'lgpl-3.0',
  'mpl-2.0',
  'creativeml-openrail-m',
  'llama2',
  'llama3',
  'gemma',
  'odc-by',
  'pddl',
  'unlicense',
  'other',
]

interface LicencePickerProps {
  value?: string
  onChange?: (value: string) => void
  error?: React.ReactNode
}

export function LicencePicker(props: LicencePickerProps) {
  return <Autocomplete label="Licence" placeholder="None yet" data={licences} {...props} />
}
