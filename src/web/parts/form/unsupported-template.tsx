import type { UnsupportedFieldProps } from '@rjsf/utils'

export function UnsupportedTemplate({ reason }: UnsupportedFieldProps) {
  return <p className="text-warn-ink">This field cannot be shown here. {reason}</p>
}
