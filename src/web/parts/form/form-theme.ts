import type { RegistryWidgetsType, TemplatesType, WidgetProps } from '@rjsf/utils'
import { createElement, Suspense } from 'react'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import { ArrayItemTemplate, ArrayTemplate } from './array-template.tsx'
import { CheckboxWidget } from './checkbox-widget.tsx'
import { CheckboxesWidget } from './checkboxes-widget.tsx'
import { FieldTemplate } from './field-template.tsx'
import { ObjectTemplate } from './object-template.tsx'
import { RadioWidget } from './radio-widget.tsx'
import { RangeWidget } from './range-widget.tsx'
import { RatingWidget } from './rating-widget.tsx'
import { SelectWidget } from './select-widget.tsx'
import { TagsWidget } from './tags-widget.tsx'
import { TextInput } from './text-input.tsx'
import { TextareaWidget } from './textarea-widget.tsx'
import { UnsupportedTemplate } from './unsupported-template.tsx'
import { VariantTemplate } from './variant-template.tsx'

const Nothing = () => null

// Loaded on demand, because only forms with editable texts need it.
const EditedText = onDemandPart(() => import('./edited-text.tsx'))

function LoadedEditedText(props: WidgetProps) {
  return createElement(Suspense, null, createElement(EditedText, props))
}

export const formTemplates: Partial<TemplatesType> = {
  ArrayFieldItemTemplate: ArrayItemTemplate,
  ArrayFieldTemplate: ArrayTemplate,
  BaseInputTemplate: TextInput,
  ErrorListTemplate: Nothing,
  FieldErrorTemplate: Nothing,
  FieldHelpTemplate: Nothing,
  DescriptionFieldTemplate: Nothing,
  FieldTemplate,
  MultiSchemaFieldTemplate: VariantTemplate,
  ObjectFieldTemplate: ObjectTemplate,
  UnsupportedFieldTemplate: UnsupportedTemplate,
}

/** Replaces widgets of the library, and adds names for `ui:widget`. */
export const formWidgets: RegistryWidgetsType = {
  CheckboxWidget,
  CheckboxesWidget,
  RadioWidget,
  RangeWidget,
  SelectWidget,
  TextareaWidget,
  toggle: CheckboxWidget,
  slider: RangeWidget,
  rating: RatingWidget,
  tags: TagsWidget,
  url: TextInput,
  editedText: LoadedEditedText,
}
