import { PasswordInput as Field, type PasswordInputProps } from '@mantine/core'

const eye = { 'aria-label': 'Show the password', tabIndex: 0 }

/** Mantine marks a fault of its field by colour alone, and keeps its eye out of the order of Tab. */
export function PasswordInput(props: PasswordInputProps) {
  return <Field aria-invalid={Boolean(props.error)} visibilityToggleButtonProps={eye} {...props} />
}
