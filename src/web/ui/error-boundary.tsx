import { Component, type ReactNode } from 'react'

type Props = {
  fallback: (error: Error) => ReactNode
  /**
   * What the children show. If one of these values changes after an error, the children are
   * rendered again.
   */
  resetOn?: readonly unknown[]
  children: ReactNode
}

/** Shows the fallback if a child throws, so that content sent by an agent never crashes the page. */
export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override componentDidUpdate({ resetOn: before }: Props) {
    const isChanged = this.props.resetOn?.some((value, n) => value !== before?.[n])
    if (this.state.error && isChanged) this.setState({ error: undefined })
  }

  override render() {
    return this.state.error ? this.props.fallback(this.state.error) : this.props.children
  }
}
