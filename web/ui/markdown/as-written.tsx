import { Component, type ReactNode } from 'react'
import classes from './markdown.module.css'

/** In place of a document that cannot be laid out. */
export const AsWritten = ({ text }: { text: string }) => (
  <>
    <p role="note">This document cannot be laid out. It is shown as it was written.</p>
    <pre className={classes['written']}>{text}</pre>
  </>
)

/**
 * Shows `instead` where its children cannot be rendered: a document that is nested without end exhausts the stack, and
 * would take the page with it. Only a class can catch that.
 */
export class UnlessItFails extends Component<
  { instead: ReactNode; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? this.props.instead : this.props.children
  }
}
