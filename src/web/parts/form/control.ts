import type { WidgetProps } from '@rjsf/utils'

/** Names of the elements around a control, so that label, help and error belong to it. */
export const labelId = (id: string) => `${id}__title`
export const aboutId = (id: string) => `${id}__description`
export const helpId = (id: string) => `${id}__help`
export const errorId = (id: string) => `${id}__error`

type Described = Pick<WidgetProps, 'id' | 'rawErrors' | 'schema' | 'options'>

/** What a screen reader reads after the name: only elements that are there. */
export function aria({ id, rawErrors, schema, options }: Described) {
  const isInvalid = (rawErrors?.length ?? 0) > 0
  const about = [
    isInvalid && errorId(id),
    (options.description ?? schema.description) && aboutId(id),
    options.help && helpId(id),
  ].filter((part) => typeof part === 'string')
  return {
    'aria-invalid': isInvalid,
    'aria-describedby': about.length > 0 ? about.join(' ') : undefined,
  }
}
