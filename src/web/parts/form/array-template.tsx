import { type ArrayFieldItemTemplateProps, type ArrayFieldTemplateProps, getUiOptions } from '@rjsf/utils'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { MouseEvent } from 'react'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { AddButton } from './add-button.tsx'
import styles from './array-template.module.css'
import { describedBy, descriptionId, labelId } from './control.ts'
import { TupleContext, useFieldLabel } from './field-label.ts'
import { LabelText } from './label-text.tsx'
import { OptionDigit } from './option-digit.tsx'
import schemaFormStyles from './schema-form.module.css'

export function ArrayTemplate(props: ArrayFieldTemplateProps) {
  const { title, schema, uiSchema, items, canAdd, fieldPathId, required, disabled, readonly } = props
  const { rawErrors, onAddClick } = props
  const options = getUiOptions(uiSchema)
  const label = useFieldLabel(title, fieldPathId.path)
  const isTuple = Array.isArray(schema.items)
  const description = options.description ?? schema.description
  return (
    <fieldset
      id={fieldPathId.$id}
      tabIndex={-1}
      className="no-outline"
      aria-describedby={describedBy({ id: fieldPathId.$id, rawErrors, schema, options })}
    >
      {title && (
        <legend className="lbl" id={labelId(fieldPathId.$id)}>
          <LabelText label={label} required={required} />
        </legend>
      )}
      {description && (
        <p className={schemaFormStyles.aboutField} id={descriptionId(fieldPathId.$id)}>
          {bidiSafe(description)}
        </p>
      )}
      <TupleContext value={isTuple}>
        <div className={styles.formItems}>{items}</div>
      </TupleContext>
      {canAdd && (
        <AddButton onClick={onAddClick} disabled={disabled || readonly}>
          Add
        </AddButton>
      )}
    </fieldset>
  )
}

export function ArrayItemTemplate({
  children,
  buttonsProps,
  index,
  hasToolbar,
}: ArrayFieldItemTemplateProps) {
  const { hasMoveUp, hasMoveDown, hasRemove, disabled, readonly } = buttonsProps
  const isDisabled = disabled || readonly || false
  // In a ranking, items can only be reordered.
  const isRanked = (hasMoveUp || hasMoveDown) && !hasRemove

  function remove(event: MouseEvent<HTMLButtonElement>) {
    focusNeighbor(event.currentTarget)
    buttonsProps.onRemoveItem(event)
  }

  return (
    <div className={styles.formItem}>
      <div className={styles.itemBody}>{children}</div>
      {hasToolbar && (
        <div className={styles.itemTools} data-option={isRanked ? '' : undefined}>
          {isRanked && <OptionDigit />}
          {/* At the ends of the list, a button is not `disabled`, because it would lose the focus. The
              library gets no event, because it would blur the target of the event. */}
          {(hasMoveUp || hasMoveDown) && (
            <>
              <button
                type="button"
                className="btn square"
                aria-label={`Move item ${index + 1} up`}
                disabled={isDisabled}
                aria-disabled={!hasMoveUp}
                onClick={() => hasMoveUp && buttonsProps.onMoveUpItem()}
              >
                <Icon of={ChevronUp} />
              </button>
              <button
                type="button"
                className="btn square"
                aria-label={`Move item ${index + 1} down`}
                disabled={isDisabled}
                aria-disabled={!hasMoveDown}
                onClick={() => hasMoveDown && buttonsProps.onMoveDownItem()}
              >
                <Icon of={ChevronDown} />
              </button>
            </>
          )}
          {hasRemove && (
            <button
              type="button"
              className="btn square"
              aria-label={`Remove item ${index + 1}`}
              disabled={isDisabled}
              onClick={remove}
            >
              <Icon of={X} />
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/**
 * Focuses the last button of the next or previous item, else "Add", else the list. Call it before an
 * item is removed. Otherwise the focus would be lost, and the next Enter or Space would be a shortcut
 * of the page.
 */
function focusNeighbor(removeButton: HTMLButtonElement) {
  const list = removeButton.closest('fieldset')
  const item = removeButton.parentElement?.parentElement
  const neighbor = item?.nextElementSibling ?? item?.previousElementSibling
  // An item that can't be moved or removed has no buttons, and a list with `maxItems` items has no "Add".
  const target = [neighbor?.lastElementChild, list]
    .map((parent) => parent?.querySelector<HTMLElement>(':scope > button:last-child'))
    .find((button) => button)
  ;(target ?? list)?.focus()
}
