import { Component, type ReactNode } from 'react'

type Props = { fallback: (error: Error) => ReactNode; children: ReactNode }

/** Content sent by an agent must never crash the page. */
export class ErrorBoundary extends Component<Props, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override render() {
    return this.state.error ? this.props.fallback(this.state.error) : this.props.children
  }
}
