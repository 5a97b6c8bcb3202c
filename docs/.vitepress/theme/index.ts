import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { EnergyFigure } from './figures/energy-figure.ts';
import { ModesFigure } from './figures/modes-figure.ts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('ModesFigure', ModesFigure);
    app.component('EnergyFigure', EnergyFigure);
  },
} satisfies Theme;
