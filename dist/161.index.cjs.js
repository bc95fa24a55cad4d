"use strict";
exports.id = 161;
exports.ids = [161];
exports.modules = {

/***/ 4161:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createUndici: () => (/* binding */ createUndici)
/* harmony export */ });
/* harmony import */ var undici_lib_api_api_connect_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2279);
/* harmony import */ var undici_lib_api_api_request_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4043);
/* harmony import */ var undici_lib_dispatcher_dispatcher_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(883);
/* harmony import */ var undici_lib_dispatcher_env_http_proxy_agent_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3137);
/* harmony import */ var undici_lib_dispatcher_pool_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(628);





function createUndici() {
    Object.assign(undici_lib_dispatcher_dispatcher_js__WEBPACK_IMPORTED_MODULE_2__.prototype, { request: undici_lib_api_api_request_js__WEBPACK_IMPORTED_MODULE_1__, connect: undici_lib_api_api_connect_js__WEBPACK_IMPORTED_MODULE_0__ });
    return {
        EnvHttpProxyAgent: undici_lib_dispatcher_env_http_proxy_agent_js__WEBPACK_IMPORTED_MODULE_3__,
        Pool: undici_lib_dispatcher_pool_js__WEBPACK_IMPORTED_MODULE_4__,
        request: (address, { dispatcher, ...options }) => {
            const { origin, pathname, search } = new URL(address);
            return dispatcher.request({ ...options, origin, path: pathname + search });
        },
    };
}


/***/ })

};
;