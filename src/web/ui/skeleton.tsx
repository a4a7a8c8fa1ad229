type Props = { width?: string; height: string; className?: string; role?: 'status'; 'aria-label'?: string }

/** A grey block in place of content that is still loading. */
export function Skeleton({ width, height, className = '', ...rest }: Props) {
  return <div className={`skeleton ${className}`} style={{ width, height }} {...rest} />
}
