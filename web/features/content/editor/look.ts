import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The editor in the colours of the page, which follow its theme by themselves. */
export const look = [
  EditorView.theme({
    '&': {
      fontSize: 'var(--mantine-font-size-sm)',
      backgroundColor: 'var(--mantine-color-body)',
      color: 'var(--mantine-color-text)',
    },
    '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
    '.cm-scroller': {
      fontFamily: 'var(--mantine-font-family-monospace)',
      fontVariantLigatures: 'none',
      lineHeight: '20px',
    },
    '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
    '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
    '.cm-gutters': {
      backgroundColor: 'var(--app-surface)',
      color: 'var(--mantine-color-dimmed)',
      borderRight: '1px solid var(--mantine-color-default-border)',
    },
    '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--app-surface) 70%, transparent)' },
    '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--mantine-color-text)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--mantine-primary-color-light-hover)',
    },
    '.cm-panels, .cm-tooltip': {
      backgroundColor: 'var(--mantine-color-body)',
      color: 'var(--mantine-color-text)',
      border: '1px solid var(--mantine-color-default-border)',
    },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--mantine-primary-color-filled)',
      color: 'var(--mantine-color-white)',
    },
    '.cm-completionInfo': { maxWidth: '320px', padding: '8px' },
    '.cm-textfield, .cm-button': {
      backgroundColor: 'var(--mantine-color-default)',
      backgroundImage: 'none',
      color: 'var(--mantine-color-text)',
      border: '1px solid var(--mantine-color-default-border)',
    },
    '.cm-changedLine': {
      backgroundColor: 'color-mix(in srgb, var(--mantine-color-safe-6) 12%, transparent)',
    },
    '.cm-deletedChunk': {
      backgroundColor: 'color-mix(in srgb, var(--mantine-color-danger-6) 12%, transparent)',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.modifier], color: 'light-dark(#a0111f, #ff9492)' },
      { tag: [tags.string, tags.special(tags.string)], color: 'light-dark(#032563, #addcff)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#023b95, #91cbff)' },
      {
        tag: [tags.propertyName, tags.definition(tags.propertyName)],
        color: 'light-dark(#024c1a, #72f088)',
      },
      { tag: [tags.comment, tags.meta], color: 'light-dark(#66707b, #bdc4cc)' },
      { tag: tags.heading, color: 'light-dark(#023b95, #91cbff)', fontWeight: '600' },
      { tag: [tags.link, tags.url], color: 'var(--mantine-color-anchor)' },
      { tag: tags.strong, fontWeight: '700' },
      { tag: tags.emphasis, fontStyle: 'italic' },
      { tag: tags.monospace, color: 'light-dark(#622cbc, #dbb7ff)' },
    ]),
  ),
]
