import type { Control, Form } from '../../model/page.ts';

/** One line of evidence for or against a search form. */
export interface FormRule {
  readonly name: string;
  readonly weight: number;
  readonly holds: (form: Form) => boolean;
}

const WORDS = /search|find|query|suche|buscar|recherche|поиск/i;
const FIELD_NAMES: ReadonlySet<string> = new Set(['q', 's', 'query', 'search', 'keyword', 'k', 'term', 'wd']);

/** Forms at or above this score are search forms. */
export const ACCEPT_SCORE = 4;

/** The rule baseline: words and weights as published (set before they were measured on the annotated forms). */
export const FORM_RULES: readonly FormRule[] = [
  { name: 'declared as search', weight: 5, holds: (form) => form.role === 'search' || hasType(form, 'search') },
  { name: 'field name', weight: 4, holds: (form) => inputs(form).some(isNamedLikeQuery) },
  { name: 'action', weight: 3, holds: (form) => WORDS.test(form.action ?? '') },
  { name: 'GET', weight: 1, holds: (form) => form.method === 'get' },
  { name: 'one text input', weight: 2, holds: (form) => textInputs(form).length === 1 },
  { name: 'password or e-mail', weight: -6, holds: (form) => hasType(form, 'password') || hasType(form, 'email') },
  { name: 'many text inputs', weight: -3, holds: (form) => textInputs(form).length > 4 },
  { name: 'button or placeholder', weight: 3, holds: (form) => form.controls.some(speaksOfSearch) },
  { name: 'class or id', weight: 2, holds: (form) => WORDS.test(`${form.className} ${form.id}`) },
  { name: 'text area', weight: -3, holds: (form) => hasType(form, 'textarea') },
  { name: 'no text input', weight: -5, holds: (form) => textInputs(form).length === 0 },
];

export function ruleScore(form: Form): number {
  return FORM_RULES.reduce((sum, rule) => sum + (rule.holds(form) ? rule.weight : 0), 0);
}

/** Inputs a visitor types words into. */
export function textInputs(form: Form): readonly Control[] {
  return form.controls.filter(isTextInput);
}

export function isTextInput(control: Control): boolean {
  return (control.type === 'text' || control.type === 'search') && !control.disabled;
}

export function isNamedLikeQuery(control: Control): boolean {
  return FIELD_NAMES.has(control.name.toLowerCase()) || FIELD_NAMES.has(control.id.toLowerCase());
}

export function hasType(form: Form, type: string): boolean {
  return form.controls.some((control) => control.type === type);
}

function inputs(form: Form): readonly Control[] {
  return form.controls.filter((control) => !BUTTONS.has(control.type) && control.type !== 'hidden');
}

const BUTTONS: ReadonlySet<string> = new Set(['submit', 'button', 'image', 'reset']);

function speaksOfSearch(control: Control): boolean {
  const text = BUTTONS.has(control.type) ? `${control.label} ${control.value} ${control.title}` : control.placeholder;
  return WORDS.test(text);
}
