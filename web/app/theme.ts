import {
  createTheme,
  defaultCssVariablesResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core'

/** The one accent. Shade 7 on white and white on shade 7 are 6.6:1; shade 4 on the dark body is 6.4:1. */
const accent: MantineColorsTuple = [
  '#eef1ff',
  '#dfe5ff',
  '#c0cbfb',
  '#a6b5f7',
  '#8fa2f2',
  '#6d83e6',
  '#4f66d6',
  '#3f53c0',
  '#33449e',
  '#232f6e',
]
const safe: MantineColorsTuple = [
  '#e8f7ed',
  '#d2efdc',
  '#a6dfba',
  '#7ccf98',
  '#5bc17e',
  '#36a35c',
  '#238147',
  '#1d7340',
  '#175c33',
  '#0f4525',
]
const caution: MantineColorsTuple = [
  '#fff6df',
  '#fdebbd',
  '#f9d98a',
  '#f3c55a',
  '#e6b03a',
  '#c98f1b',
  '#9a680c',
  '#875a09',
  '#6f4a08',
  '#533704',
]
const danger: MantineColorsTuple = [
  '#fff0ee',
  '#fddcd8',
  '#f9b8b1',
  '#f5978d',
  '#f0847a',
  '#dd5346',
  '#c5382b',
  '#b02c20',
  '#8e2219',
  '#691710',
]
const pending: MantineColorsTuple = [
  '#edf3f8',
  '#dae6ef',
  '#b6cde0',
  '#94b5d0',
  '#7ba3c3',
  '#5486ac',
  '#3f6f94',
  '#375f80',
  '#2d4e69',
  '#203a4f',
]
const gray: MantineColorsTuple = [
  '#f7f8f9',
  '#eff1f3',
  '#e3e6ea',
  '#d4d8de',
  '#bfc5cd',
  '#8d95a1',
  '#5d6571',
  '#474e58',
  '#2e343c',
  '#191d22',
]
const dark: MantineColorsTuple = [
  '#d9dce0',
  '#bcc1c7',
  '#a3a9b1',
  '#747b84',
  '#3c4148',
  '#2d3137',
  '#212429',
  '#16181c',
  '#101215',
  '#0b0c0e',
]

const fontSizes = {
  xs: '12px',
  sm: '13px',
  md: '14px',
  lg: '16px',
  xl: '20px',
  '2xl': '24px',
  '3xl': '32px',
}

/** The look of every page: neutral greys, one accent, four meanings (safe, caution, danger, pending), 14 px text on an 8 px grid. */
export const theme = createTheme({
  colors: { accent, safe, caution, danger, pending, gray, dark },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  black: '#191d22',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  // Every text has one of these sizes: `api/dev/font-sizes.test.ts` finds others.
  fontSizes,
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  // Mantine moves a pressed button down by 1 px. The browser lays it out once more for that: 10 ms of a press in a folder
  // of 1 000 entries on a slow machine.
  activeClassName: '',
  components: {
    // The light shade of a badge is too loud for a whole box on a dark page.
    Alert: {
      vars: (_: unknown, { color = 'accent' }: { color?: string }) => ({
        root: { '--alert-bg': `var(--alert-${color})` },
      }),
    },
    Badge: { defaultProps: { tt: 'none' }, styles: { root: { flexShrink: 0 } } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    NavLink: { defaultProps: { bdrs: 'md' } },
  },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: fontSizes['2xl'], lineHeight: '1.25' },
      h2: { fontSize: fontSizes.lg, lineHeight: '1.35' },
      h3: { fontSize: fontSizes.md, lineHeight: '1.4' },
      h4: { fontSize: fontSizes.sm, lineHeight: '1.4' },
    },
  },
})

const meanings = ['accent', 'safe', 'caution', 'danger', 'pending']

/** Mantine's variables, with secondary and placeholder text dark enough for WCAG AA, badges that stand out from a
 * dark page, and the danger colour for faults. */
export const cssVariables: CSSVariablesResolver = (resolved) => {
  const base = defaultCssVariablesResolver(resolved)
  const alerts = (backgroundOf: (name: string) => string) =>
    Object.fromEntries(meanings.map((name) => [`--alert-${name}`, backgroundOf(name)]))
  const light = {
    ...alerts((name) => `var(--mantine-color-${name}-light)`),
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-danger-7)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-3)',
  }
  const darkOnes = {
    ...alerts(
      (name) => `color-mix(in srgb, var(--mantine-color-${name}-9) 40%, var(--mantine-color-dark-7))`,
    ),
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-danger-4)',
    ...Object.fromEntries(
      meanings.map((name) => [`--mantine-color-${name}-light`, `var(--mantine-color-${name}-9)`]),
    ),
  }
  return { ...base, light: { ...base.light, ...light }, dark: { ...base.dark, ...darkOnes } }
}
