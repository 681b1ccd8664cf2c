import { Autocomplete } from '@mantine/core'
import { licences } from '../../lib/licences.ts'

interface LicencePickerProps {
  value?: string
  onChange?: (value: string) => void
  error?: React.ReactNode
}

export function LicencePicker(props: LicencePickerProps) {
  return <Autocomplete label="Licence" placeholder="None yet" data={licences} {...props} />
}
