import { Component, type ReactNode } from 'react'
import classes from './markdown.module.css'

interface AsWrittenProps {
  text: string
  children: ReactNode
}

/**
 * Shows a document as it was written where laying it out fails: one that is nested without end exhausts the stack, and
 * would take the page with it. Only a class can catch that.
 */
export class AsWritten extends Component<AsWrittenProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <>
        <p role="note">This document cannot be laid out. It is shown as it was written.</p>
        <pre className={classes['written']}>{this.props.text}</pre>
      </>
    )
  }
}
