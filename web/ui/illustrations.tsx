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
  talk: (
    <>
      <path
        d="M58 40h44a6 6 0 0 1 6 6v22a6 6 0 0 1-6 6h-4v12L86 74H58a6 6 0 0 1-6-6V46a6 6 0 0 1 6-6z"
        fill="var(--app-warm)"
      />
      <path
        d="M18 10h58a6 6 0 0 1 6 6v26a6 6 0 0 1-6 6H40L28 60V48H18a6 6 0 0 1-6-6V16a6 6 0 0 1 6-6z"
        fill="var(--app-cool)"
      />
      <path d="M26 24h36M26 34h22" stroke="var(--mantine-primary-color-filled)" />
    </>
  ),
  bell: (
    <>
      <path d="M50 72a10 10 0 0 0 20 0" fill="var(--app-cool)" />
      <path
        d="M60 16a24 24 0 0 0-24 24c0 18-6 24-10 32h68c-4-8-10-14-10-32a24 24 0 0 0-24-24zm0 0v-6"
        fill="var(--app-warm)"
      />
      <path d="M98 22a30 30 0 0 1 6 16M22 22a30 30 0 0 0-6 16" stroke="var(--mantine-primary-color-filled)" />
    </>
  ),
  gears: (
    <>
      <circle cx="46" cy="54" r="28" strokeWidth="8" strokeDasharray="11 11" strokeLinecap="butt" />
      <circle cx="46" cy="54" r="24" fill="var(--app-cool)" />
      <circle cx="46" cy="54" r="9" fill="var(--mantine-color-body)" />
      <circle cx="90" cy="32" r="16" strokeWidth="7" strokeDasharray="8.4 8.4" strokeLinecap="butt" />
      <circle cx="90" cy="32" r="13" fill="var(--app-warm)" />
      <circle cx="90" cy="32" r="4" fill="var(--mantine-primary-color-filled)" stroke="none" />
    </>
  ),
  people: (
    <>
      <path d="M10 78a24 24 0 0 1 48 0z" fill="var(--app-warm)" />
      <circle cx="34" cy="34" r="13" fill="var(--app-warm)" />
      <path d="M62 78a24 24 0 0 1 48 0z" fill="var(--app-cool)" />
      <circle cx="86" cy="34" r="13" fill="var(--app-cool)" />
      <path
        d="M36 88a24 24 0 0 1 48 0z"
        fill="var(--app-chip)"
        stroke="var(--mantine-primary-color-filled)"
      />
      <circle cx="60" cy="46" r="13" fill="var(--app-chip)" stroke="var(--mantine-primary-color-filled)" />
    </>
  ),
  chart: (
    <>
      <rect x="30" y="56" width="16" height="28" fill="var(--app-chip)" />
      <rect x="54" y="44" width="16" height="40" fill="var(--app-cool)" />
      <rect x="78" y="32" width="16" height="52" fill="var(--app-warm)" />
      <path d="M18 10v74h88" />
      <path d="m30 40 22-12 16 6 28-22" stroke="var(--mantine-primary-color-filled)" />
    </>
  ),
  table: (
    <>
      <rect x="14" y="14" width="92" height="68" rx="6" fill="var(--app-chip)" />
      <path d="M14 32V20a6 6 0 0 1 6-6h80a6 6 0 0 1 6 6v12z" fill="var(--app-cool)" />
      <path d="M76 49h30v16H76z" fill="var(--app-warm)" />
      <path d="M14 49h92M14 65h92M44 14v68M76 14v68" />
      <path d="M52 57h16" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
    </>
  ),
  collection: (
    <>
      <path d="M32 26v-8a6 6 0 0 1 6-6h44a6 6 0 0 1 6 6v8" fill="var(--app-chip)" />
      <path d="M23 38v-6a6 6 0 0 1 6-6h62a6 6 0 0 1 6 6v6" fill="var(--app-warm)" />
      <rect x="14" y="38" width="92" height="48" rx="6" fill="var(--app-cool)" />
      <path
        d="m60 48 4.2 8.6 9.4 1.3-6.8 6.6 1.6 9.4-8.4-4.5-8.4 4.5 1.6-9.4-6.8-6.6 9.4-1.3z"
        stroke="var(--mantine-primary-color-filled)"
      />
    </>
  ),
  key: (
    <>
      <circle cx="38" cy="48" r="22" fill="var(--app-warm)" />
      <circle cx="38" cy="48" r="8" fill="var(--mantine-color-body)" />
      <path d="M60 48h46v14M90 48v10" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
    </>
  ),
  branch: (
    <>
      <path d="M38 26v44m0-8c0-18 44-8 44-28" />
      <circle cx="38" cy="18" r="9" fill="var(--app-cool)" />
      <circle cx="38" cy="78" r="9" fill="var(--app-warm)" />
      <circle cx="82" cy="26" r="9" fill="var(--app-chip)" stroke="var(--mantine-primary-color-filled)" />
    </>
  ),
  shield: (
    <>
      <path d="m60 8 32 12v24c0 22-14 36-32 44-18-8-32-22-32-44V20z" fill="var(--app-cool)" />
      <path d="m46 48 10 10 20-22" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
    </>
  ),
  plug: (
    <>
      <path d="M4 50h8m96 0h8M46 42h10M46 58h10" />
      <rect x="12" y="34" width="34" height="32" rx="6" fill="var(--app-warm)" />
      <rect x="74" y="34" width="34" height="32" rx="6" fill="var(--app-cool)" />
      <path d="M65 18v10m0 44v10M54 22l4 8m18-8-4 8" stroke="var(--mantine-primary-color-filled)" />
    </>
  ),
}
export type Illustration = keyof typeof lines

/** The names of all pictures. */
export const illustrations = Object.keys(lines) as Illustration[]

/** A small picture above what an empty list says. */
export default function Drawing({ of }: { of: Illustration }) {
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
      data-picture={of}
    >
      {lines[of]}
    </svg>
  )
}
