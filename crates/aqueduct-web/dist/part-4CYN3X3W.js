import{g as t,n as o}from"./part-T6L42TRX.js";var e=t(void 0);function i(){let p=o(e);if(!p)throw new Error("no app around this component");return p}export{e as a,i as b};
