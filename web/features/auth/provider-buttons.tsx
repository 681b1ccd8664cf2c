import { Button } from '@mantine/core'

interface ProviderButtonsProps {
  providers: { id: string; name: string; start_url: string }[]
  /** Query of the address where a sign-in begins. */
  query: Record<string, string>
}

/** One button for each sign-in provider; it leaves this page. */
export function ProviderButtons({ providers, query }: ProviderButtonsProps) {
  const search = new URLSearchParams(query).toString()
  return providers.map(({ id, name, start_url }) => (
    <Button key={id} component="a" href={`${start_url}?${search}`} variant="default">
      Continue with {name}
    </Button>
  ))
}
