export type Illustration = 'box' | 'search' | 'lock'

const lines = {
  box: (
    <>
      <path d="M20 44 60 28l40 16-40 16z" fill="var(--app-cool)" />
      <path d="M20 44v30l40 16V60z" fill="var(--app-chip)" />
      <path d="M100 44v30L60 90V60z" fill="var(--app-warm)" />
      <path d="M20 44 60 28l40 16-40 16zM20 44v30l40 16 40-16V44M60 60v30" />
      <path d="M60 20V6m-7 7 7-7 7 7" stroke="var(--mantine-primary-color-filled)" />
    </>
  ),
  search: (
    <>
      <rect x="14" y="20" width="72" height="14" rx="4" fill="var(--app-chip)" />
      <rect x="14" y="42" width="52" height="14" rx="4" fill="var(--app-warm)" />
      <rect x="14" y="64" width="62" height="14" rx="4" fill="var(--app-cool)" />
      <circle cx="82" cy="54" r="18" fill="var(--mantine-color-body)" />
      <path d="m95 67 14 14" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
    </>
  ),
  lock: (
    <>
      <path d="M42 44V32a18 18 0 0 1 36 0v12" />
      <rect x="30" y="44" width="60" height="42" rx="8" fill="var(--app-warm)" />
      <circle cx="60" cy="62" r="6" fill="var(--mantine-primary-color-filled)" stroke="none" />
      <path d="M60 66v9" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
    </>
  ),
} satisfies Record<Illustration, React.ReactNode>

/** A small picture above what an empty list says. */
export function Picture({ of }: { of: Illustration }) {
  return (
    <svg
      viewBox="0 0 120 96"
      width={120}
      height={96}
      fill="none"
      stroke="var(--mantine-color-dimmed)"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {lines[of]}
    </svg>
  )
}
