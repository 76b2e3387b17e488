import type { Control, Form } from '../model/page.ts';
import { TextRun, wholeEnd } from './text-run.ts';

export interface FormLimits {
  readonly forms: number;
  readonly controls: number;
  readonly options: number;
}

/** UTF-16 units of visible text kept of one form. */
const MAX_FORM_TEXT = 4000;
const MAX_LABEL_TEXT = 300;
const MAX_LINK_TEXTS = 200;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface DraftOption extends Mutable<Control['options'][number]> {
  hasValue: boolean;
  run: TextRun;
}

export interface DraftControl extends Omit<Mutable<Control>, 'options'> {
  options: DraftOption[];
  owner: DraftForm | undefined;
  /** The form attribute: id of the owner, wherever that stands. */
  ownerId: string | undefined;
  run: TextRun;
}

export interface DraftForm extends Omit<Mutable<Form>, 'controls' | 'text' | 'linkTexts' | 'position' | 'type'> {
  element: number;
  linkTexts: string[];
  run: TextRun;
}

interface DraftLabel {
  readonly for: string;
  readonly run: TextRun;
  control: DraftControl | undefined;
}

/** Forms and controls while the page is read, with the form pointer and form owners of the HTML standard. */
export class FormCollector {
  /** The "form element pointer": controls met belong to it even where markup is misnested. */
  pointer: DraftForm | undefined;
  readonly forms: DraftForm[] = [];
  full = false;
  private readonly controls: DraftControl[] = [];
  private readonly labels: DraftLabel[] = [];
  private openLabel: DraftLabel | undefined;
  private openButton: DraftControl | undefined;
  private openSelect: DraftControl | undefined;
  private openOption: DraftOption | undefined;
  private options = 0;
  private readonly limits: FormLimits;

  constructor(limits: FormLimits) {
    this.limits = limits;
  }

  openForm(form: Omit<DraftForm, 'linkTexts' | 'run'>): void {
    const draft = { ...form, linkTexts: [], run: new TextRun() };
    this.pointer = draft;
    if (this.forms.length < this.limits.forms) this.forms.push(draft);
    else this.full = true;
  }

  closeForm(): void {
    this.pointer = undefined;
  }

  addControl(control: Omit<DraftControl, 'owner' | 'run' | 'options'>): DraftControl {
    const draft = { ...control, owner: this.pointer, run: new TextRun(), options: [] };
    if (this.controls.length >= this.limits.controls) {
      this.full = true;
      return draft;
    }
    this.controls.push(draft);
    if (this.openLabel?.for === '') this.openLabel.control ??= draft;
    return draft;
  }

  startLabel(target: string): void {
    this.openLabel = { for: target, run: new TextRun(), control: undefined };
    if (this.labels.length < this.limits.controls) this.labels.push(this.openLabel);
  }

  endLabel(): void {
    this.openLabel = undefined;
  }

  startButton(control: DraftControl): void {
    this.openButton = control;
  }

  endButton(): void {
    this.openButton = undefined;
  }

  startSelect(control: DraftControl): void {
    this.openSelect = control;
    this.openOption = undefined;
  }

  endSelect(): void {
    this.endOption();
    this.openSelect = undefined;
  }

  get inSelect(): boolean {
    return this.openSelect !== undefined;
  }

  startOption(value: string | undefined, state: { selected: boolean; disabled: boolean; label: string }): void {
    this.endOption();
    if (this.openSelect === undefined) return;
    if (this.options >= this.limits.options) {
      this.full = true;
      return;
    }
    this.options++;
    const { selected, disabled, label } = state;
    const option = {
      value: value ?? '',
      hasValue: value !== undefined,
      text: label,
      selected,
      disabled,
      run: new TextRun(),
    };
    this.openSelect.options.push(option);
    this.openOption = option;
  }

  endOption(): void {
    this.openOption = undefined;
  }

  /** Text inside a select: belongs to its option and to nothing else. */
  optionText(source: string, start: number, end: number): void {
    this.openOption?.run.append(source, start, end);
  }

  /** Visible text on the page. */
  text(source: string, start: number, end: number, inLink: number): void {
    if (this.openButton !== undefined) appendUpTo(this.openButton.run, MAX_LABEL_TEXT, [source, start, end]);
    if (this.openLabel !== undefined) appendUpTo(this.openLabel.run, MAX_LABEL_TEXT, [source, start, end]);
    if (this.pointer !== undefined && inLink === 0) appendUpTo(this.pointer.run, MAX_FORM_TEXT, [source, start, end]);
  }

  blockBoundary(): void {
    this.pointer?.run.space();
    this.openLabel?.run.space();
  }

  linkText(text: string): void {
    const texts = this.pointer?.linkTexts;
    if (texts !== undefined && text !== '' && texts.length < MAX_LINK_TEXTS) texts.push(text);
  }

  /** Everything settled: owners by id, labels, selected options. Controls without a form come apart. */
  finish(): { forms: { draft: DraftForm; controls: Control[]; text: string }[]; loose: Control[] } {
    this.applyLabels();
    const byId = new Map<string, DraftForm>();
    for (const form of this.forms) if (form.id !== '' && !byId.has(form.id)) byId.set(form.id, form);
    const owned = new Map<DraftForm, Control[]>(this.forms.map((form) => [form, []]));
    const loose: Control[] = [];
    for (const draft of this.controls) {
      const owner = draft.ownerId === undefined ? draft.owner : byId.get(draft.ownerId);
      const control = finishControl(draft);
      if (owner !== undefined) owned.get(owner)?.push(control);
      else if (TEXT_LIKE.has(control.type)) loose.push(control);
    }
    const forms = this.forms.map((draft) => ({ draft, controls: owned.get(draft) ?? [], text: draft.run.take().text }));
    return { forms, loose };
  }

  private applyLabels(): void {
    const byId = new Map<string, DraftControl>();
    for (const control of this.controls) if (control.id !== '' && !byId.has(control.id)) byId.set(control.id, control);
    for (const label of this.labels) {
      const control = label.for === '' ? label.control : byId.get(label.for);
      const text = label.run.take().text;
      if (control !== undefined && control.label === '' && text !== '') control.label = text;
    }
  }
}

const TEXT_LIKE: ReadonlySet<string> = new Set([
  'text',
  'search',
  'email',
  'url',
  'tel',
  'number',
  'password',
  'textarea',
]);

function appendUpTo(run: TextRun, limit: number, [source, start, end]: [string, number, number]): void {
  const room = limit - run.text.length;
  if (room > 0) run.append(source, start, wholeEnd(source, Math.min(end, start + room)));
}

function finishControl(draft: DraftControl): Control {
  const { owner: _owner, ownerId: _ownerId, run, options: drafts, ...control } = draft;
  const options = drafts.map((option) => {
    const { run: optionRun, hasValue, ...rest } = option;
    const text = optionRun.take().text;
    return { ...rest, text: rest.text === '' ? text : rest.text, value: hasValue ? rest.value : text };
  });
  if (control.type === 'select') {
    if (!control.multiple) chooseOne(options);
    control.value = options.find((option) => option.selected)?.value ?? '';
  }
  if (control.label === '') control.label = run.take().text;
  return { ...control, options };
}

/** A select of one choice: the last option marked counts, without a mark the first that is not disabled. */
function chooseOne(options: Mutable<Control['options'][number]>[]): void {
  const chosen = options.findLast((option) => option.selected) ?? options.find((option) => !option.disabled);
  for (const option of options) option.selected = option === chosen;
}
