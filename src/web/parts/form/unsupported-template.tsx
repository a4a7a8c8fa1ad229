import type { UnsupportedFieldProps } from '@rjsf/utils'

export function UnsupportedTemplate({ reason }: UnsupportedFieldProps) {
  return <p className="text-warn-ink">This field can't be shown. {reason}</p>
}
